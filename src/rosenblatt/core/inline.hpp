// Functions that must become part of their callers, whatever the compiler reckons.
#pragma once

#if defined(__GNUC__)
#define ROSENBLATT_INLINE __attribute__((always_inline)) inline
#else
#define ROSENBLATT_INLINE inline
#endif
