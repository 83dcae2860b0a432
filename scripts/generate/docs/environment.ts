/** The variables of the environment that the program reads, or sets for those that it starts, and what each one says. */
export const VARIABLES: readonly (readonly [names: string, meaning: string])[] = [
  [
    '`DATABASE_URL`',
    'the PostgreSQL server of missions, and of a log that is kept in a database; without it there is the embedded server. ' +
      'What the address leaves out is taken from the variables of PostgreSQL, such as `PGPASSWORD` and `PGUSER`, and for the user at last from `USER`',
  ],
  [
    'those that `waybill.yaml` names',
    'the `key` of a model, the `token` of a server or a remote agent, the `secret` of a write-back, and what stands under `environment`; only whoever it is named for is given it',
  ],
  ['`NO_COLOR`', 'any text in it: no colour'],
  ['`FORCE_COLOR`', 'colour even where the output is no terminal; `0` means none'],
  ['`TERM`', '`dumb`: no colour, and nothing is drawn over; the latter without it as well'],
  [
    '`XDG_STATE_HOME`',
    'the folder under which, in `waybill`, is remembered what was seen of logs; without it, or where it is a relative path, that is `~/.local/state`',
  ],
  ['`PATH`, `HOME`', 'where programs are found, and whose home folder it is'],
  [
    '`LANG`, `LC_ALL`, `TZ`, `TMPDIR`, `USER`, `LOGNAME`',
    'passed on to the commands of checks that `resume` runs, as are `PATH`, `HOME` and `TERM`. Agents that are programs are given `PATH`, `HOME`, `LANG`, `LC_ALL`, `TZ`, `TMPDIR` and a `TERM` of `dumb`, ' +
      'servers of tools nothing of all this, and both what `waybill.yaml` names; `git` and `ssh-keygen` run with everything',
  ],
  [
    '`GIT_INDEX_FILE`',
    'the index of the commit that is under way, as Git tells its hooks; of other `GIT_` variables Git is given only `GIT_CONFIG_…`, `GIT_EXEC_PATH`, `GIT_CEILING_DIRECTORIES` and `GIT_DISCOVERY_ACROSS_FILESYSTEM`',
  ],
  [
    '`WAYBILL_MISSION`, `WAYBILL_TASK`, `WAYBILL_ATTEMPT`',
    'set for an agent that is a program; to whoever has a task all that is for people and writes or executes something is refused, but for dry runs: it runs no missions or pipelines, starts no workers, and decides on nothing that a person decides',
  ],
  [
    '`WAYBILL_MCP_URL`, `WAYBILL_MCP_TOKEN`',
    'set for such an agent that may use tools: where they are',
  ],
  [
    '`WAYBILL_RUN`',
    'set for every program that a mission starts: by it those are found that are left over',
  ],
]
