/** The environment variables that the program reads or sets for its child processes, with their meaning. */
export const VARIABLES: readonly (readonly [names: string, meaning: string])[] = [
  [
    '`DATABASE_URL`',
    'the PostgreSQL server of missions, and of a log stored in a database; the embedded server by default. ' +
      'Missing parts of the address come from the variables of PostgreSQL, such as `PGPASSWORD` and `PGUSER`; the user defaults to `USER`',
  ],
  [
    'variables named in `waybill.yaml`',
    'the `key` of a model, the `token` of a server or a remote agent, the `secret` of a write-back, and those under `environment`; each is passed only to the program that names it',
  ],
  ['`NO_COLOR`', 'any value: no colour'],
  ['`FORCE_COLOR`', 'colour even if the output is not a terminal; `0` means none'],
  ['`TERM`', '`dumb`: no colour and no redrawing; unset: no redrawing'],
  [
    '`XDG_STATE_HOME`',
    'the folder for `waybill/`, which stores the checkpoints seen of logs; `~/.local/state` if unset or relative',
  ],
  ['`PATH`, `HOME`', 'the search path of programs, and the home folder'],
  [
    '`LANG`, `LC_ALL`, `TZ`, `TMPDIR`, `USER`, `LOGNAME`',
    'passed to the check commands that `resume` runs, with `PATH`, `HOME` and `TERM`. Agent programs get `PATH`, `HOME`, `LANG`, `LC_ALL`, `TZ`, `TMPDIR` and `TERM=dumb`, ' +
      'tool servers get none of these, and both get the variables named in `waybill.yaml`; `git` and `ssh-keygen` get all variables',
  ],
  ['`VISUAL`, `EDITOR`', 'the editor that `handoff --edit` opens'],
  [
    '`GIT_INDEX_FILE`',
    'the index of the current commit, as Git sets it for hooks; of other `GIT_` variables, Git gets only `GIT_CONFIG_…`, `GIT_EXEC_PATH`, `GIT_CEILING_DIRECTORIES` and `GIT_DISCOVERY_ACROSS_FILESYSTEM`',
  ],
  [
    '`WAYBILL_MISSION`, `WAYBILL_TASK`, `WAYBILL_ATTEMPT`',
    'set for an agent program; with a task set, operations for people that write or execute are refused except for dry runs: no running of missions or pipelines, no starting of workers, and no human decisions',
  ],
  [
    '`WAYBILL_MCP_URL`, `WAYBILL_MCP_TOKEN`',
    'set for an agent program that may use tools: the address and token of its tool server',
  ],
  ['`WAYBILL_RUN`', 'set for every program that a mission starts, to find leftover processes'],
]
