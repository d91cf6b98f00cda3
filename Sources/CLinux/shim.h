// nearby-bridge · SPDX-License-Identifier: Apache-2.0
// What Swift's Glibc module leaves out.
// Shared types such as timespec belong to whichever of the two modules is loaded first: import both, always.
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

// Declared here because _GNU_SOURCE would give shared types another shape than in Swift's Glibc module.
extern int close_range(unsigned int first, unsigned int last, int flags);
extern int execvpe(const char *file, char *const *arguments, char *const *environment);
extern int pipe2(int descriptors[2], int flags);
extern int ppoll(struct pollfd *entries, nfds_t count, const struct timespec *timeout, const sigset_t *mask);
extern int pthread_setname_np(pthread_t thread, const char *name);
extern char **environ;

/// The environment; as a function because a global variable is nobody's to share.
static inline char **nb_environment(void) { return environ; }

/// CLOSE_RANGE_CLOEXEC of linux/close_range.h.
#define NB_CLOSE_RANGE_CLOEXEC (1U << 2)

/// `poll` with a timeout in nanoseconds; NULL waits without limit.
static inline int nb_poll(struct pollfd *entries, nfds_t count, const struct timespec *timeout) {
    return ppoll(entries, count, timeout, NULL);
}

static inline void nb_name_thread(const char *name) { (void)pthread_setname_np(pthread_self(), name); }

/// Puts `from` at descriptor `to` of the child, without the close-on-exec flag.
static inline int nb_place_descriptor(int from, int to) {
    if (from < 0) { return 0; }
    if (from == to) { return fcntl(to, F_SETFD, 0); }
    return dup2(from, to);
}

/// Between fork and exec: no allocation, no lock. Writes errno to `report` and exits if the program cannot be started.
static inline void nb_become_program(
    const char *file, char *const *arguments, char *const *environment, int output, int error, int report, pid_t parent
) {
    int failure;
    // posix_spawn cannot ask for this: the child must not outlive a parent that was killed with SIGKILL.
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) { goto failed; }
    if (getppid() != parent) { _exit(127); }
    // Ctrl-C at a terminal is for us alone: we end our programs in order.
    (void)setpgid(0, 0);
    if (nb_place_descriptor(output, STDOUT_FILENO) < 0) { goto failed; }
    if (nb_place_descriptor(error, STDERR_FILENO) < 0) { goto failed; }
    // libmosquitto's sockets lack close-on-exec: none may leak into the child.
    close_range(3, UINT_MAX, NB_CLOSE_RANGE_CLOEXEC);
    for (int number = 1; number < NSIG; number++) { signal(number, SIG_DFL); }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execvpe(file, arguments, environment != NULL ? environment : environ);
failed:
    failure = errno;
    (void)!write(report, &failure, sizeof failure);
    _exit(127);
}

/// Starts a program that is killed when the calling thread ends. Returns its process id, or a negated errno.
/// A null `environment` hands ours on. `output` and `error` are descriptors to use as standard output and error, or -1 to share the caller's.
static inline pid_t nb_spawn(
    const char *file, char *const *arguments, char *const *environment, int output, int error
) {
    int report[2];
    if (pipe2(report, O_CLOEXEC) != 0) { return -errno; }
    pid_t parent = getpid();
    pid_t child = fork();
    if (child == 0) {
        nb_become_program(file, arguments, environment, output, error, report[1], parent);
    }
    int failure = child < 0 ? errno : 0;
    close(report[1]);
    if (child > 0) {
        ssize_t count;
        do { count = read(report[0], &failure, sizeof failure); } while (count < 0 && errno == EINTR);
        if (count != (ssize_t)sizeof failure) { failure = 0; }
    }
    close(report[0]);
    return failure != 0 ? -failure : child;
}
