# One set of flags for every target: roofline_flags(target). They are C's: assembly takes none of them.
function(roofline_c_options target)
    foreach(option ${ARGN})
        target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:C>:${option}>)
    endforeach()
endfunction()

function(roofline_flags target)
    roofline_c_options(${target}
        -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wformat=2
        -Wno-format-nonliteral -Wpointer-arith -Wwrite-strings -Wundef -Wdouble-promotion)
    if(CMAKE_C_COMPILER_ID STREQUAL GNU)
        # Text that is too long is cut on purpose (snprintf everywhere); gcc's guess at it differs by optimisation level.
        roofline_c_options(${target} -Wno-format-truncation)
    endif()
    if(ROOFLINE_WERROR)
        roofline_c_options(${target} -Werror)
    endif()
    # Results must not depend on the compiler: no contraction of a*b+c behind our back.
    roofline_c_options(${target} -ffp-contract=off)
    if(ROOFLINE_SANITIZE)
        roofline_c_options(${target} -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
        target_link_options(${target} PRIVATE -fsanitize=address,undefined)
    endif()
    if(ROOFLINE_FUZZ)
        roofline_c_options(${target} -fsanitize=fuzzer-no-link)
    endif()
    if(ROOFLINE_COVERAGE)
        roofline_c_options(${target} --coverage)
        target_link_options(${target} PRIVATE --coverage)
    endif()
endfunction()

# A room of the library: roofline_room(name files...). Objects only; src/CMakeLists.txt links them together.
function(roofline_room name)
    add_library(room_${name} OBJECT ${ARGN})
    target_include_directories(room_${name} PUBLIC ${PROJECT_SOURCE_DIR}/include PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_compile_definitions(room_${name} PRIVATE ROOFLINE_BUILDING)
    # Nobody replaces our functions at load time, so they may be inlined; and structs that were just written number by
    # number are not read back in pairs, which stalls. Together 7 % of the time to judge a model.
    if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
        roofline_c_options(room_${name} -fno-semantic-interposition -fno-tree-slp-vectorize)
    endif()
    roofline_flags(room_${name})
endfunction()
