// Preloaded (LD_PRELOAD) into a program, counts its calls that change something below one folder,
// writes them down, and has one of them fail, stop or kill the process. Does nothing until it is told
// to begin, except that with FAULTY_LOCKS in the environment no file can be locked (flock(2)). Linux
// only: elsewhere the library is empty.
//
// It sees what a program calls of the C library by name, as Swift's Foundation, SQLite and LMDB do. It
// does not see stores through a writable mapping, which is why those are counted when they are made.
#ifndef FAULTY_CALLS_H
#define FAULTY_CALLS_H

// What happens at the call of the number given. It happens once.
enum faulty_calls_fault {
  FAULTY_NOTHING,
  FAULTY_KILL_BEFORE,  // SIGKILL instead of the call
  FAULTY_KILL_AFTER,   // SIGKILL once it has done its work
  FAULTY_STOP_BEFORE,  // SIGSTOP; SIGCONT has it go on
  FAULTY_ENOSPC,       // the call does nothing and fails
  FAULTY_EIO,          // the same
  FAULTY_SHORT,        // a write takes half of its bytes and says so; other calls are left alone
};

// Begins to count at 1. `folder` is an absolute path without links. `log`, unless -1, is a descriptor
// to which each call is written before it is made, as a line: its name, the file's path in the folder
// (`.` for the folder), then what tells about it: offset and length, the new name, `sync` where the
// descriptor writes through.
void faulty_calls_begin(const char *folder, int log, long number, int fault);

// Writes a line of the caller's to the log.
void faulty_calls_note(const char *text);

// Counts no more; gives how many calls there were.
long faulty_calls_end(void);

#endif
