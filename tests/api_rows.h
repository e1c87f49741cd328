/* SPDX-License-Identifier: MIT */
/* Every function that the installed headers declare, and what api_calls.h calls it with. One
 * without a row here fails tests/e2e_library.sh. */
#pragma once

#define N(pointer)  api_need(a, pointer)
#define O(pointer)  (api_next(a, 8) ? (pointer) : NULL)
#define CHAIN       N(API_ONE_OF(a, a->chain))
#define CONST_CHAIN N(a->shared &&api_next(a, 2) ? a->shared : API_ONE_OF(a, a->chain))
#define STAGE       N(API_ONE_OF(a, a->stage))
#define RUNNER      N(API_ONE_OF(a, a->runner))
#define SLOT_AT     api_number(a, 0, 3)
#define SLOT        api_slot(a, a->runner[0] ? rn_runner_slot(a->runner[0], SLOT_AT) : NULL)
#define POOL        N(a->pool)
#define PSLOT       api_slot(a, a->pool ? rn_pool_slot(a->pool, api_number(a, 0, 5)) : NULL)
#define TEXT        N(api_text(a))
#define PATH        N(api_path(a))
#define AT          api_number(a, 0, 2)
#define BOOL        api_next(a, 2)
#define FMT         (&a->good.fmt)
#define WHOLE       (FMT->depth <= 16 ? FMT : &(struct rn_format){.depth = 8})
#define GOOD        N(&a->good)
#define ROW         N(a->row)
#define VALUES      N(a->values[0])
#define BUF         N(a->buf), sizeof a->buf

/* CODE returns an enum rn_err, CALL anything, FREE what free() takes; BODY is a code. */
#define API_ROWS(CODE, CALL, FREE, BODY)                                                           \
    CALL(rn_version)                                                                               \
    CALL(rn_version_number)                                                                        \
    CODE(rn_geom_check, N(&a->geom))                                                               \
    CALL(rn_format_planes, FMT)                                                                    \
    CALL(rn_format_bytes, FMT)                                                                     \
    CALL(rn_format_sample, FMT)                                                                    \
    CALL(rn_sample_bytes, (enum rn_sample)api_next(a, RN_SAMPLES))                                 \
    CALL(rn_format_min, WHOLE)                                                                     \
    CALL(rn_format_max, WHOLE)                                                                     \
    CALL(rn_geom_black, &a->good)                                                                  \
    CALL(rn_geom_white, &a->good)                                                                  \
    CALL(rn_geom_middle, &a->good)                                                                 \
    CALL(rn_format_from_8bit, WHOLE, api_real(a))                                                  \
    CALL(rn_format_equal, N(&a->geom.fmt), N(FMT))                                                 \
    CALL(rn_format_name, N(FMT), N(a->buf))                                                        \
    CALL(rn_format_parse, TEXT, N(&a->geom.fmt))                                                   \
    CALL(rn_plane_name, N(FMT), AT)                                                                \
    CALL(rn_geom_plane_size, &a->good, (int)api_next(a, 2), &a->i, &a->i)                          \
    CALL(rn_geom_samples, GOOD)                                                                    \
    CALL(rn_geom_planes, &a->good, api_number(a, 0, 15))                                           \
    CALL(rn_geom_equal, N(&a->geom), GOOD)                                                         \
    CALL(rn_geom_all_planes, &a->good)                                                             \
    BODY(rn_image_alloc, api_image_alloc(a))                                                       \
    CALL(rn_image_free, N(&API_ONE_OF(a, a->image)))                                               \
    CALL(rn_plane_copy, N(&a->image[0].plane[0]), N(&a->image[1].plane[0]), 1)                     \
    CALL(rn_image_copy, N(&a->image[0]), N(&a->image[1]))                                          \
    BODY(rn_log_set_sink, (rn_log_set_sink(api_hears, NULL), 0))                                   \
    BODY(rn_log_set_level,                                                                         \
         a->shared ? 0 : (rn_log_set_level((enum rn_log_level)api_number(a, 0, 4)), 0))            \
    CALL(rn_log_level)                                                                             \
    CALL(rn_log_level_parse, TEXT, N(&(enum rn_log_level){0}))                                     \
    BODY(rn_log, (rn_log((enum rn_log_level)api_number(a, 0, 4), "%s", api_text(a)), 0))           \
    BODY(rn_fail, rn_fail(RN_EINPUT, "%s", api_text(a)))                                           \
    BODY(rn_fail_lines, rn_fail_lines(RN_EINPUT, N(api_text(a)), "%s", api_text(a)))               \
    CALL(rn_log_last)                                                                              \
    CALL(rn_log_set_last, TEXT)                                                                    \
    BODY(rn_log_about, (rn_log_about("%s", api_next(a, 2) ? "" : api_text(a)), 0))                 \
    BODY(rn_log_mute, (rn_log_mute(!api_next(a, 4)), 0))                                           \
    BODY(rn_outfile_set_policy, a->shared ? 0 : (rn_outfile_set_policy((enum rn_overwrite)AT), 0)) \
    BODY(rn_outfile_set_ask, a->shared ? 0 : (rn_outfile_set_ask(O(api_ask)), 0))                  \
    CODE(rn_outfile_keep, api_next(a, 16) ? "/dev/null" : PATH)                                    \
    CODE(rn_outfile_allowed, PATH)                                                                 \
    CODE(rn_outfile_permit, PATH)                                                                  \
    BODY(rn_outfile_begin, api_file_begin(a, false))                                               \
    CALL(rn_outfile_push, N(&a->file[0]), BOOL ? INT64_MAX : api_number(a, 0, 4096))               \
    CALL(rn_outfile_reserve, N(&a->file[0]), BOOL ? INT64_MAX : api_number(a, 0, 4096))            \
    CODE(rn_outfile_commit, N(&a->file[0]), BOOL)                                                  \
    CODE(rn_outfile_commit_new, N(&a->file[0]), BOOL)                                              \
    FREE(rn_outfile_partial, PATH)                                                                 \
    CALL(rn_outfile_free, N(&API_ONE_OF(a, a->file)))                                              \
    BODY(rn_outset_create, (api_set_create(a), 0))                                                 \
    BODY(rn_outset_begin, api_file_begin(a, true))                                                 \
    CODE(rn_outset_remove, N(a->set), PATH)                                                        \
    CALL(rn_outset_has, N(a->set), PATH)                                                           \
    CALL(rn_outset_lock, N(a->set))                                                                \
    CODE(rn_outset_commit, N(a->set), BOOL)                                                        \
    BODY(rn_outset_destroy, (api_set_create(a), rn_outset_destroy(N(&a->set)), 0))                 \
    BODY(rn_outfile_remove_all, a->shared || api_next(a, 8) ? 0 : (rn_outfile_remove_all(), 0))    \
    BODY(rn_chain_parse, api_chain_parse(a))                                                       \
    BODY(rn_chain_copy, api_chain_copy(a))                                                         \
    CODE(rn_chain_assign, N(&API_ONE_OF(a, a->chain)), CONST_CHAIN)                                \
    CALL(rn_chain_destroy, O(&API_ONE_OF(a, a->chain)))                                            \
    CODE(rn_chain_set, CHAIN, AT, TEXT, TEXT)                                                      \
    CODE(rn_chain_switch, CHAIN, AT, BOOL)                                                         \
    FREE(rn_chain_format, CONST_CHAIN)                                                             \
    CALL(rn_chain_count, CONST_CHAIN)                                                              \
    CALL(rn_chain_stage, CONST_CHAIN, AT)                                                          \
    CALL(rn_chain_append, CHAIN, TEXT)                                                             \
    CALL(rn_chain_measure_nothing, O(API_ONE_OF(a, a->chain)))                                     \
    CALL(rn_chain_prune, CHAIN)                                                                    \
    CODE(rn_chain_insert, CHAIN, AT, N(api_chain_text(a)))                                         \
    CODE(rn_chain_remove, CHAIN, AT)                                                               \
    CODE(rn_chain_move, CHAIN, AT, AT)                                                             \
    CODE(rn_chain_duplicate, CHAIN, AT)                                                            \
    CALL(rn_chain_equal, CONST_CHAIN, CONST_CHAIN)                                                 \
    CALL(rn_chain_binds_alike, CONST_CHAIN, CONST_CHAIN)                                           \
    CODE(rn_chain_reread, CHAIN, CONST_CHAIN)                                                      \
    CODE(rn_chain_check, CONST_CHAIN, N(&a->geom), N(&a->analysis))                                \
    CODE(rn_chain_check_code, CONST_CHAIN)                                                         \
    CALL(rn_chain_allow_code, CHAIN)                                                               \
    CALL(rn_chain_code, CONST_CHAIN, BOOL, O(&a->at_stage))                                        \
    CALL(rn_stage_origin, O("origin"))                                                             \
    BODY(rn_stage_allow_all_code,                                                                  \
         a->shared || api_next(a, 16) ? 0 : (rn_stage_allow_all_code(), 0))                        \
    CODE(rn_stage_check_code, N(a->stage[0]))                                                      \
    CALL(rn_chain_written, CONST_CHAIN, O(&a->at_stage))                                           \
    BODY(rn_chain_warn, api_chain_warn(a))                                                         \
    CALL(rn_registry_at, api_number(a, 0, 40))                                                     \
    CALL(rn_registry_find, TEXT)                                                                   \
    CALL(rn_registry_alias, TEXT)                                                                  \
    BODY(rn_stage_create, (api_stage_create(a), 0))                                                \
    BODY(rn_stage_copy, (api_stage_create(a), 0))                                                  \
    CALL(rn_stage_destroy, O(&API_ONE_OF(a, a->stage)))                                            \
    CALL(rn_stage_name, STAGE)                                                                     \
    CALL(rn_stage_row, STAGE, AT)                                                                  \
    CALL(rn_stage_find, STAGE, TEXT)                                                               \
    CALL(rn_stage_values, N(a->stage[0]), ROW)                                                     \
    CODE(rn_stage_set, N(a->stage[0]), ROW, TEXT)                                                  \
    CALL(rn_params_defaults, N(a->table), VALUES)                                                  \
    CALL(rn_param_reset, ROW, VALUES)                                                              \
    CALL(rn_param_int, ROW, VALUES)                                                                \
    CALL(rn_param_number, ROW, VALUES)                                                             \
    CALL(rn_param_in_mm, ROW, VALUES)                                                              \
    CALL(rn_param_text, ROW, VALUES)                                                               \
    CALL(rn_param_at, N(a->table), AT)                                                             \
    CALL(rn_param_find, N(a->table), TEXT)                                                         \
    CODE(rn_param_parse, ROW, TEXT, TEXT, VALUES)                                                  \
    CALL(rn_param_format, ROW, VALUES, BUF)                                                        \
    CALL(rn_param_unit, ROW, VALUES)                                                               \
    CALL(rn_param_is_default, ROW, VALUES)                                                         \
    CALL(rn_param_equal, ROW, VALUES, N(a->values[1]))                                             \
    CALL(rn_param_take_contents, ROW, VALUES, N(a->values[1]))                                     \
    CALL(rn_params_fixed_apart, N(a->table), VALUES, N(a->values[1]))                              \
    CALL(rn_param_step, ROW, VALUES, AT)                                                           \
    CALL(rn_param_range, ROW, BUF)                                                                 \
    CALL(rn_params_intern, N(rn_registry_at((int)api_next(a, 20))->params))                        \
    CALL(rn_intern, TEXT)                                                                          \
    BODY(rn_intern_reset, a->shared || api_next(a, 16) ? 0 : (api_end(a), rn_intern_reset(), 0))   \
    CALL(rn_level_position, N(&a->level), N(&a->geom))                                             \
    CALL(rn_level_distance, N(&a->level), N(&a->geom))                                             \
    CALL(rn_level_8bit, N(&a->level), N(&a->geom), N(&a->number))                                  \
    CODE(rn_level_check, ROW, TEXT, VALUES, N(&a->geom))                                           \
    CODE(rn_level_check_side, N(&a->level), TEXT, N(&a->geom))                                     \
    CALL(rn_level_step, ROW, VALUES, N(&a->geom), AT)                                              \
    CALL(rn_level_place, ROW, VALUES, N(&a->geom))                                                 \
    CALL(rn_level_slide, ROW, VALUES, N(&a->geom), api_real(a))                                    \
    CALL(rn_level_value, ROW, VALUES, N(&a->geom), BUF)                                            \
    CALL(rn_level_range, ROW, N(&a->geom), BUF)                                                    \
    BODY(rn_device_list, api_device_list(a))                                                       \
    BODY(rn_devices_load, a->device ? (rn_devices_load(), 0) : 0)                                  \
    BODY(rn_device_open, api_device_open(a))                                                       \
    BODY(rn_device_divide, api_device_open(a))                                                     \
    BODY(rn_device_beside, api_device_open(a))                                                     \
    CODE(rn_device_close, N(&a->no_device))                                                        \
    CALL(rn_device_info, N(a->device))                                                             \
    CALL(rn_device_live, N(a->device))                                                             \
    BODY(rn_programs_keep_in, a->device || a->shared ? 0 : (rn_programs_keep_in(NULL), 0))         \
    CALL(rn_timings_add, N(&a->timings), N(&a->timings))                                           \
    BODY(rn_runner_open, api_runner_open(a, 0))                                                    \
    BODY(rn_runner_open_batches, api_runner_open(a, api_number(a, 1, 4)))                          \
    CALL(rn_runner_batch, RUNNER)                                                                  \
    CODE(rn_runner_expect_fields, RUNNER, BOOL)                                                    \
    BODY(rn_runner_close, (rn_runner_close(&a->runner[0]), rn_runner_close(N(&a->runner[1])), 0))  \
    CALL(rn_runner_nslots, RUNNER)                                                                 \
    CALL(rn_runner_slot, RUNNER, AT)                                                               \
    CALL(rn_runner_output, RUNNER)                                                                 \
    CALL(rn_runner_delay, RUNNER)                                                                  \
    CODE(rn_runner_start, RUNNER)                                                                  \
    CODE(rn_runner_stop, RUNNER, BOOL)                                                             \
    CODE(rn_runner_submit, RUNNER, SLOT)                                                           \
    CODE(rn_runner_submit_several, RUNNER, SLOT, api_number(a, 1, 4))                              \
    CODE(rn_runner_drain, RUNNER)                                                                  \
    CALL(rn_runner_ready, RUNNER)                                                                  \
    CODE(rn_runner_reset, RUNNER)                                                                  \
    CODE(rn_runner_wait, RUNNER, SLOT)                                                             \
    CALL(rn_runner_done, RUNNER, SLOT)                                                             \
    CALL(rn_runner_measure_into, N(a->runner[0]), RUNNER)                                          \
    CODE(rn_runner_discard, RUNNER, SLOT)                                                          \
    CODE(rn_runner_recycle, RUNNER, SLOT)                                                          \
    CODE(rn_runner_update, RUNNER, CONST_CHAIN)                                                    \
    CODE(rn_runner_try, RUNNER, CONST_CHAIN, true, N(&a->flag))                                    \
    CODE(rn_runner_fits, RUNNER, CONST_CHAIN)                                                      \
    CODE(rn_runner_poll, RUNNER, CHAIN, N(&a->flag))                                               \
    BODY(rn_runner_look, api_look(a))                                                              \
    CODE(rn_rebuild_run, N(a->rebuild), N(a->device))                                              \
    CODE(rn_runner_rebuilt, RUNNER, CHAIN, N(&a->rebuild), N(&a->flag))                            \
    CALL(rn_rebuild_drop, N(&a->rebuild))                                                          \
    CALL(rn_rebuild_file, N(a->rebuild))                                                           \
    CALL(rn_runner_alert, RUNNER)                                                                  \
    CALL(rn_runner_by_field, RUNNER, SLOT)                                                         \
    CALL(rn_runner_show, RUNNER, BUF, N(&a->histogram), N(&a->i))                                  \
    CODE(rn_runner_listen, RUNNER, AT, O(api_measured), &a->sum)                                   \
    CALL(rn_runner_time_each, RUNNER)                                                              \
    CALL(rn_runner_timings, RUNNER, N(&a->timings))                                                \
    BODY(rn_runner_keep, api_next(a, 8) ? 0 : (rn_runner_keep(RUNNER), 0))                         \
    CALL(rn_runner_free, RUNNER)                                                                   \
    CODE(rn_runner_again, RUNNER)                                                                  \
    CALL(rn_runner_holds, RUNNER, N(rn_runner_slot(a->runner[0], 0)))                              \
    BODY(rn_pool_open, api_pool_open(a))                                                           \
    BODY(rn_pool_bytes, api_pool_bytes(a))                                                         \
    CODE(rn_pool_close, N(&a->pool))                                                               \
    CALL(rn_pool_nslots, POOL)                                                                     \
    CALL(rn_pool_slot, POOL, AT)                                                                   \
    CALL(rn_pool_some, POOL)                                                                       \
    CODE(rn_pool_submit, POOL, PSLOT)                                                              \
    CODE(rn_pool_drain, POOL)                                                                      \
    CALL(rn_pool_ready, POOL)                                                                      \
    CODE(rn_pool_wait, POOL, PSLOT)                                                                \
    CODE(rn_pool_recycle, POOL, PSLOT)                                                             \
    CODE(rn_pool_start, POOL)                                                                      \
    CODE(rn_pool_stop, POOL, BOOL)                                                                 \
    CODE(rn_pool_update, POOL, CONST_CHAIN)                                                        \
    CODE(rn_pool_fits, POOL, CONST_CHAIN)                                                          \
    CALL(rn_pool_timings, POOL, N(&a->timings))                                                    \
    CODE(rn_pool_listen, POOL, AT, O(api_measured), &a->sum)                                       \
    CALL(rn_pool_begin, POOL)                                                                      \
    CALL(rn_pool_meter, POOL, N(&a->meter))                                                        \
    BODY(rn_exchange_open, api_exchange(a))                                                        \
    BODY(rn_exchange_lock, api_exchange(a))                                                        \
    BODY(rn_exchange_submit, api_exchange(a))                                                      \
    BODY(rn_exchange_wait, api_exchange(a))                                                        \
    BODY(rn_exchange_drain, (rn_exchange_drain(NULL), 0))                                          \
    CODE(rn_exchange_close, NULL)                                                                  \
    CALL(rn_pool_output, POOL)
