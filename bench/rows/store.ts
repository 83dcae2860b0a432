import { createHash } from 'node:crypto'
import type pg from 'pg'
import { canonicalJson } from '../../src/ledger/index.ts'
import { missionGraph } from '../../src/mission/graph/graph.ts'
import { checkArtifacts } from '../../src/mission/plan/check.ts'
import { statusOf } from '../../src/operations/mission/status.ts'
import {
  insertArtifact,
  insertOutputs,
  Last,
  openPostgresLog,
  openStore,
  queueDependents,
  queueUnblocked,
  type Store,
  startEmbedded,
  stopEmbedded,
  type Tx,
} from '../../src/store/index.ts'
import { openStateFolder } from '../../src/workspace/index.ts'
import { startingIn } from '../../test/embedded.ts'
import type { Payload } from '../../test/mission-payloads.ts'
import { draftOf, testLog } from '../../test/test-log.ts'
import type { Figure } from '../figure.ts'
import { type Contender, race } from '../measure.ts'
import type { Stage } from '../stage.ts'
import { begin, missionOf, resultOf, TEN, TENANT, withDatabase } from '../workloads/store.ts'

const ARTIFACTS = 200
const PRODUCERS = 8
const ENTRIES = 1600

/** Checks and stores an artifact and its task output in one commit, against the bare insert of the same row. */
export function submits(stage: Stage): Promise<Figure[]> {
  return withDatabase(stage.folder('submit'), async ({ store, raw }) => {
    const tasks = Array.from({ length: ARTIFACTS }, (_, i) => `t${i}`)
    const nextMission = () => begin(store, Object.fromEntries(tasks.map(task => [task, []])))
    const submitting = async () => {
      const { mission, envelope, graph } = await nextMission()
      const stored = [envelope, graph]
      return perItem(tasks, async task => {
        const artifact = resultOf(mission, task)
        const [checked] = await checkArtifacts([artifact], stored, { now: Date.now() })
        if (!checked?.accepted) throw new Error(JSON.stringify(checked?.diagnostics))
        // As at the end of an attempt: the last note is committed afterwards.
        await store.tenant(TENANT, async tx => {
          const stored = await insertArtifact(tx, artifact)
          return new Last(insertOutputs(tx, mission, task, [stored]))
        })
      })
    }
    const inserting = async () => {
      const { mission } = await nextMission()
      return perItem(tasks, task => bareInsert(raw, resultOf(mission, task)))
    }
    const [ours, theirs] = await race(stage.quick ? 3 : 15, [
      { name: 'waybill', run: submitting },
      { name: 'bare insert', run: inserting },
    ])
    if (!ours || !theirs) return []
    const target = { kind: 'times-faster', limit: 0.5 } as const
    return [{ what: 'submit an artifact: check, insert, note', unit: 'µs', ours, theirs, target }]
  })
}

async function bareInsert(raw: pg.Pool, artifact: Payload): Promise<void> {
  const text = String(canonicalJson(artifact))
  const digest = createHash('sha256').update(text).digest('hex')
  await raw.query(
    'insert into waybill.colony_worker_results (tenant_id, digest, payload) values ($1, $2, $3)',
    [TENANT, digest, text],
  )
}

let entries = 0

/** Appends to the log in PostgreSQL by eight producers until each has its receipt, against bare inserts by eight connections. */
export function postgresLog(stage: Stage): Promise<Figure[]> {
  const folder = stage.folder('postgres-log')
  return withDatabase(folder, async ({ store, raw }) => {
    await raw.query('create table bare (id text primary key, leaf bytea, content text)')
    const { options } = testLog(folder)
    const log = await openPostgresLog(store.url, options)
    try {
      const [ours, theirs] = await race(stage.quick ? 3 : 11, [
        byProducers('waybill', async () => {
          const receipt = await log.append(draftOf(`entry ${entries++}`))
          if ('taken' in receipt) throw new Error('the entry already existed')
        }),
        byProducers('bare inserts', async () => {
          const { digest, leaf, content } = draftOf(`row ${entries++}`)
          await raw.query('insert into bare values ($1, $2, $3)', [digest, leaf, content])
        }),
      ])
      if (!ours || !theirs) return []
      const target = { kind: 'times-faster', limit: 0.6 } as const
      return [
        { what: 'append to the log in PostgreSQL, 8 producers', unit: 'µs', ours, theirs, target },
      ]
    } finally {
      await log.close()
    }
  })
}

function byProducers(name: string, one: () => Promise<void>): Contender {
  return {
    name,
    run: async () => {
      const start = performance.now()
      const each = ENTRIES / PRODUCERS
      await Promise.all(
        Array.from({ length: PRODUCERS }, async () => {
          for (let i = 0; i < each; i++) await one()
        }),
      )
      return ((performance.now() - start) * 1000) / ENTRIES
    },
  }
}

/** The start of the embedded server: the first, which creates the database, and later ones. */
export async function embedded(stage: Stage): Promise<Figure[]> {
  const [first, warm]: [number[], number[]] = [[], []]
  for (let round = 0; round < (stage.quick ? 1 : 7); round++) {
    const folder = stage.folder(`embedded-${round}`)
    const state = openStateFolder(folder)
    for (const times of [first, warm]) {
      const start = performance.now()
      const { url } = await startEmbedded(state, startingIn(folder))
      const store = await openStore({ url })
      await store.isolation()
      times.push(performance.now() - start)
      await store.close()
      await stopEmbedded(state)
    }
  }
  const row = (what: string, times: number[], limit: number): Figure => ({
    ...{ what, unit: 'ms', ours: { name: 'waybill', times } },
    target: { kind: 'at-most', limit },
  })
  return [
    row('embedded PostgreSQL, first start', first, 3000),
    row('embedded PostgreSQL, later start', warm, 500),
  ]
}

const LARGE = 10_000
const MOST_MS = { kind: 'at-most', limit: 30 } as const

/** Queries on a mission of 10,000 tasks, alone and with 10,000 finished missions. */
export function largeMission(stage: Stage): Promise<Figure[]> {
  return withDatabase(stage.folder('large-mission'), async ({ store, raw }) => {
    const tasks = Object.fromEntries(
      Array.from({ length: LARGE }, (_, i) => [`t${i}`, i === 0 ? [] : [`t${(i - 1) >> 1}`]]),
    )
    const { mission } = await begin(store, tasks)
    const rounds = stage.quick ? 3 : 21
    const alone = await race(rounds, questions(store, mission))
    await fillWithFinished(raw, stage.quick ? 500 : LARGE)
    const crowded = await race(rounds, questions(store, mission))
    return QUESTIONS.flatMap((what, i): Figure[] => {
      const [one, other] = [alone[i], crowded[i]]
      if (!one || !other) return []
      return [
        { what: `${what} of 10,000 tasks`, unit: 'ms', ours: one, target: MOST_MS },
        {
          what: `${what} of 10,000 tasks, beside 10,000 finished missions`,
          unit: 'ms',
          ours: other,
          target: MOST_MS,
        },
      ]
    })
  })
}

const QUESTIONS = [
  'the tasks that are ready',
  'the tasks that become ready when one is done,',
  'the data of the graph',
  'the status',
]

function questions(store: Store, mission: string): Contender[] {
  const asks = [
    () => undone(store, tx => queueUnblocked(tx, mission)),
    () => undone(store, tx => queueDependents(tx, mission, 't0')),
    () => missionGraph(store, { tenant: TENANT, mission }),
    () => store.tenant(TENANT, tx => statusOf(tx, TENANT, mission)),
  ]
  return asks.map((ask, i) => ({
    name: QUESTIONS[i] ?? '',
    run: async () => {
      const start = performance.now()
      await ask()
      return performance.now() - start
    },
  }))
}

/** The query also queues the tasks: roll it back to repeat it. */
async function undone(store: Store, work: (tx: Tx) => Promise<readonly unknown[]>): Promise<void> {
  const back = new Error('rolled back')
  await store
    .tenant(TENANT, async tx => {
      await work(tx)
      throw back
    })
    .catch(error => {
      if (error !== back) throw error
    })
}

/** Inserts rows of finished missions and their tasks directly, since running them takes half an hour. */
async function fillWithFinished(raw: pg.Pool, count: number): Promise<void> {
  const { mission, envelope, graph } = missionOf(TEN)
  const insert = (table: string, payload: Payload) =>
    raw.query(
      `insert into waybill.${table} (tenant_id, digest, payload)
       select $1, encode(sha256(i::text::bytea), 'hex'),
         replace($2, $3, overlay($3 placing lpad(i::text, 12, '0') from 25))::jsonb
       from generate_series(1, $4) i`,
      [TENANT, JSON.stringify(payload), mission, count],
    )
  await insert('colony_missions', envelope)
  await raw.query(
    `insert into waybill.mission_runs (tenant_id, mission_id, state, ended_at)
     select tenant_id, mission_id, 'finished', clock_timestamp() from waybill.colony_missions m
     where not exists (select from waybill.mission_runs r where r.mission_id = m.mission_id)`,
  )
  await insert('colony_task_graphs', graph)
  await raw.query(
    `insert into waybill.task_runs
       (tenant_id, mission_id, task_id, position, agent, state, attempt, open_dependencies, ended_at)
     select tenant_id, mission_id, task_id, position, 'domain-05-product', 'done', 1, 0, clock_timestamp()
     from waybill.colony_tasks t join waybill.mission_runs r using (tenant_id, mission_id)
     where r.state = 'finished'`,
  )
  await raw.query('vacuum analyze')
}

async function perItem(
  tasks: readonly string[],
  one: (task: string) => Promise<unknown>,
): Promise<number> {
  const start = performance.now()
  for (const task of tasks) await one(task)
  return ((performance.now() - start) * 1000) / tasks.length
}
