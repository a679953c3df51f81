# Optional libraries, each behind one file. Absent: the build goes on and the program says what is missing when asked.
option(ROOFLINE_JANSSON "read JSON (config.json, machine files, named models) with jansson" ON)

set(ROOFLINE_HAVE_JANSSON FALSE)
set(ROOFLINE_PC_REQUIRES_PRIVATE "")
find_package(PkgConfig QUIET)
if(ROOFLINE_JANSSON AND PkgConfig_FOUND)
    if(NOT JANSSON_FOUND)
        unset(__pkg_config_checked_JANSSON CACHE) # look again: it may have been installed since
    endif()
    pkg_check_modules(JANSSON QUIET IMPORTED_TARGET jansson>=2.10)
    if(JANSSON_FOUND)
        set(ROOFLINE_HAVE_JANSSON TRUE)
        set(ROOFLINE_PC_REQUIRES_PRIVATE "jansson >= 2.10")
    endif()
endif()
if(NOT ROOFLINE_HAVE_JANSSON)
    if(ROOFLINE_JANSSON)
        set(kind WARNING)
    else()
        set(kind STATUS) # as asked
    endif()
    message(${kind} "building without jansson: config.json, machine files and named models cannot be read. "
        "Debian: apt-get install libjansson-dev pkg-config")
endif()
