#include "include/wi_encoders.h"
