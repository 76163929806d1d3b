// The inflation of a store's model, which only the command needs.
#include <zlib.h>
