#include "measure/device.h"
