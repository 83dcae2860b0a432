import { statements as sql0 } from './migrations/0001-foundation.ts'
import { statements as sql1 } from './migrations/0002-mission-envelope.ts'
import { statements as sql2 } from './migrations/0003-tenants.ts'
import { statements as sql3 } from './migrations/0004-mission-task-graph.ts'
import { statements as sql4 } from './migrations/0005-tasks.ts'
import { statements as sql5 } from './migrations/0006-prompt-package.ts'
import { statements as sql6 } from './migrations/0007-research-artifact.ts'
import { statements as sql7 } from './migrations/0008-librarian-pass.ts'
import { statements as sql8 } from './migrations/0009-worker-result.ts'
import { statements as sql9 } from './migrations/0010-aggregation-packet.ts'
import { statements as sql10 } from './migrations/0011-review-packet.ts'
import { statements as sql11 } from './migrations/0012-policy-decision.ts'
import { statements as sql12 } from './migrations/0013-writeback-proposal.ts'
import { statements as sql13 } from './migrations/0014-enqueue.ts'
import { statements as sql14 } from './migrations/0015-ledger.ts'
import { statements as sql15 } from './migrations/0016-runs.ts'
import { statements as sql16 } from './migrations/0017-write-backs.ts'
import { statements as sql17 } from './migrations/0018-ledger-move.ts'
import { statements as sql18 } from './migrations/0019-rarer-roles.ts'
import { statements as sql19 } from './migrations/0020-installation.ts'
import { statements as sql20 } from './migrations/0021-cancelling.ts'
import { statements as sql21 } from './migrations/0022-answered-by.ts'
import { statements as sql22 } from './migrations/0023-revisions.ts'
import { statements as sql23 } from './migrations/0024-kept-decisions.ts'
import { statements as sql24 } from './migrations/0025-prompt-package-check.ts'

/** Every migration by name, in order. */
export const migrations: readonly (readonly [name: string, sql: string])[] = [
  ['0001-foundation', sql0],
  ['0002-mission-envelope', sql1],
  ['0003-tenants', sql2],
  ['0004-mission-task-graph', sql3],
  ['0005-tasks', sql4],
  ['0006-prompt-package', sql5],
  ['0007-research-artifact', sql6],
  ['0008-librarian-pass', sql7],
  ['0009-worker-result', sql8],
  ['0010-aggregation-packet', sql9],
  ['0011-review-packet', sql10],
  ['0012-policy-decision', sql11],
  ['0013-writeback-proposal', sql12],
  ['0014-enqueue', sql13],
  ['0015-ledger', sql14],
  ['0016-runs', sql15],
  ['0017-write-backs', sql16],
  ['0018-ledger-move', sql17],
  ['0019-rarer-roles', sql18],
  ['0020-installation', sql19],
  ['0021-cancelling', sql20],
  ['0022-answered-by', sql21],
  ['0023-revisions', sql22],
  ['0024-kept-decisions', sql23],
  ['0025-prompt-package-check', sql24],
]
