// The allocator's statistics, which no other module imports.
#ifdef __APPLE__
#include <malloc/malloc.h>
#else
#include <malloc.h>
#endif
