import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { draftOf } from '../../test/governed-repository.ts'
import { recordSmall } from '../../test/ledger-folder.ts'
import { type Installation, type Machine, openInstallation } from '../../test/machines.ts'
import { comesTrue } from '../../test/processes.ts'
import { connectRaw } from '../../test/raw-sql.ts'
import { openTestFolder } from '../../test/test-folder.ts'
import { loadConfig } from '../workspace/index.ts'
import { withGateway } from './gateway/open.ts'
import { openLedger } from './log/open.ts'
import logCheckpoint from './log-checkpoint.ts'
import logErase from './log-erase.ts'
import logExport from './log-export.ts'
import logMigrate from './log-migrate.ts'
import logShow from './log-show.ts'
import logVerify from './log-verify.ts'
import send from './send.ts'

const opened: Installation[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.remove()
})

/** An installation whose log is in files, and has some entries. */
async function open(entries: number): Promise<Installation> {
  const installation = await openInstallation('people: claimed\n')
  opened.push(installation)
  const { first } = installation
  await append(first, 0, entries)
  return installation
}

async function append({ root, app }: Machine, from: number, count: number): Promise<void> {
  await withGateway(app(), await loadConfig(root), async gateway => {
    const numbers = Array.from({ length: count }, (_, i) => from + i)
    await Promise.all(numbers.map(number => recordSmall(gateway, number)))
  })
}

/** Says in waybill.yaml that the log is in the database. */
function configure(machine: Machine): void {
  machine.write('waybill.yaml', `ledger: postgres\n${machine.read('waybill.yaml')}`)
}

const migrate = (machine: Machine) => logMigrate.run({ to: 'postgres' }, machine.app())

/** Everything that a log says of its entries, in order. */
const eventsOf = async (machine: Machine) =>
  (await logExport.run({ limit: 1000 }, machine.app())).events

const sealed = { code: 'conflict', hint: expect.stringMatching(/neither read nor written/) }
const still = { code: 'conflict', message: expect.stringMatching(/is still in .*ledger/) }

describe('a log that is moved', () => {
  test('says the same as before in every entry, has the same root, and goes on where it was', async () => {
    const { first } = await open(600)
    const erased = { digest: '3', by: 'ada', why: 'x' }
    first.write('d.json', JSON.stringify(draftOf('domain-05-product', 'domain-02-analysis')))
    const { receipt } = await send.run({ path: 'd.json' }, first.app())
    await logErase.run({ ...erased, digest: String(receipt.index) }, first.app())
    const before = await logCheckpoint.run({}, first.app())
    const events = await eventsOf(first)
    expect(await migrate(first)).toMatchObject({
      ...{ outcome: 'moved', size: before.size, root: before.root, configured: false },
    })
    await expect(logShow.run({}, first.app())).rejects.toMatchObject(sealed)
    configure(first)
    expect(await eventsOf(first)).toEqual(events)
    expect((await logCheckpoint.run({}, first.app())).note).toBe(before.note)
    expect(await logVerify.run({}, first.app())).toMatchObject({ verified: true, faults: [] })
    await append(first, 10_000, 2)
    expect(await logVerify.run({}, first.app())).toMatchObject({
      ...{ verified: true, size: before.size + 2, faults: [], counts: { clockJumps: 0 } },
    })
    const kept = await logVerify.run({ ledger: '.waybill/ledger' }, first.app())
    expect(kept).toMatchObject({ verified: true, size: before.size })
    expect(await migrate(first)).toMatchObject({ outcome: 'was-moved', configured: true })
  })

  test('stays in the sealed folder with what is erased later, and the erasure says so', async () => {
    const { first } = await open(0)
    first.write('d.json', JSON.stringify(draftOf('domain-05-product', 'domain-02-analysis')))
    for (let i = 0; i < 2; i++) await send.run({ path: 'd.json' }, first.app())
    const erase = (digest: string) => logErase.run({ digest, by: 'ada', why: 'x' }, first.app())
    await erase('0')
    await migrate(first)
    configure(first)
    const { notErased } = await erase('1')
    expect(notErased[1]).toMatch(/^content\/000 in the sealed \.waybill\/ledger,/)
    expect((await erase('0')).notErased.join()).not.toContain('sealed')
    rmSync(join(first.root, '.waybill/ledger'), { recursive: true })
    expect((await erase('1')).notErased.join()).not.toContain('sealed')
  })

  test('is found by the same keys on another machine', async () => {
    const installation = await open(40)
    await migrate(installation.first)
    configure(installation.first)
    const other = installation.clone()
    configure(other)
    const { log } = await openLedger(other.app())
    expect(await log?.find('id:s-7')).toEqual([7])
    expect(await log?.find('kind:key-change')).toHaveLength(40)
    await append(other, 100, 1)
    expect(await logVerify.run({}, installation.first.app())).toMatchObject({ size: 41 })
  })
})

test('where nothing was recorded yet the log begins in the database, with or without keys', async () => {
  const folder = openTestFolder()
  const again = () => logMigrate.run({ to: 'postgres' }, folder.app())
  expect(await again()).toMatchObject({ outcome: 'nothing-to-move', origin: null })
  expect(await again()).toMatchObject({ outcome: 'was-moved', size: 0 })
  folder.remove()
  const installation = await openInstallation('people: claimed\n')
  opened.push(installation)
  expect(await migrate(installation.first)).toMatchObject({ outcome: 'nothing-to-move' })
  await expect(append(installation.first, 0, 1)).rejects.toMatchObject(sealed)
  configure(installation.first)
  await append(installation.first, 0, 1)
  expect(await logVerify.run({}, installation.first.app())).toMatchObject({ size: 1, faults: [] })
})

describe('there are never two logs', () => {
  test('nothing is read or written where waybill.yaml names the database before the log was moved', async () => {
    const { first } = await open(3)
    configure(first)
    await expect(append(first, 10, 1)).rejects.toMatchObject(still)
    await expect(logShow.run({}, first.app())).rejects.toMatchObject(still)
    expect(await migrate(first)).toMatchObject({ outcome: 'moved', size: 3, configured: true })
    await append(first, 10, 1)
  })

  test('a gateway that was open before is refused from then on, in the same process and in another', async () => {
    const { first } = await open(3)
    const config = await loadConfig(first.root)
    const running = appender(first, 1000)
    expect(await comesTrue(() => running.promised.length > 3)).toBe(true)
    await withGateway(first.app(), config, async gateway => {
      await recordSmall(gateway, 50)
      await migrate(first)
      await expect(recordSmall(gateway, 51)).rejects.toMatchObject(sealed)
    })
    expect(await running.ended).toMatch(/^error conflict .*is sealed/)
    configure(first)
    await expectAll(first, running.promised)
  })

  test('a database that has another log takes none, and the log goes on in its files', async () => {
    const { first, database } = await open(3)
    const other = await openInstallation()
    opened.push(other)
    const app = other.first.app({ databaseUrl: database.url })
    await withGateway(app, await loadConfig(other.first.root), gateway => recordSmall(gateway, 0))
    await expect(migrate(first)).rejects.toMatchObject({ code: 'exists' })
    await append(first, 10, 1)
    expect(await logVerify.run({}, first.app())).toMatchObject({ verified: true, size: 4 })
  })

  test('where a copy differs, nothing is sealed', async () => {
    const { first, database } = await open(300)
    const raw = await connectRaw(database.url)
    // An interference during the move: the index loses a key.
    await raw.client.query(
      `create function pg_temp.drop_one() returns trigger language plpgsql as $$ begin
         if new.index = 5 then return null; end if; return new; end $$;
       create trigger interfere before insert on waybill.ledger_keys
         for each row execute function pg_temp.drop_one()`,
    )
    await expect(migrate(first)).rejects.toMatchObject({
      ...{ code: 'ledger-tampered', message: expect.stringMatching(/other keys for entry 5/) },
    })
    await raw.end()
    expect(existsSync(join(first.root, '.waybill/ledger/sealed'))).toBe(false)
    await append(first, 1000, 1)
  })

  test('between the seal and the end of the move no process appends anywhere; run again, it continues', async () => {
    const { first, database } = await open(20)
    await migrate(first)
    const raw = await connectRaw(database.url)
    await raw.client.query('update waybill.ledger_state set is_moving = true')
    await expect(append(first, 30, 1)).rejects.toMatchObject(sealed)
    configure(first)
    const moving = { code: 'conflict', message: expect.stringMatching(/being moved/) }
    await expect(append(first, 30, 1)).rejects.toMatchObject(moving)
    const insert = `select from waybill.ledger_append('x', 1, '', '', '{}', '{}', '', '', '{}', 0, '', '{}', 0, '', 0)`
    await expect(raw.client.query(insert)).rejects.toThrow()
    await raw.end()
    expect(await migrate(first)).toMatchObject({ outcome: 'moved', size: 20 })
    await append(first, 30, 1)
    expect(await logVerify.run({}, first.app())).toMatchObject({ verified: true, size: 21 })
  })
})

describe('a log that is moved while others work', () => {
  test('loses nothing that a process was promised, which appends until it is refused', async () => {
    const { first } = await open(2000)
    const running = [appender(first, 10_000), appender(first, 20_000)]
    await comesTrue(() => running.every(({ promised }) => promised.length > 5))
    const { size } = await migrate(first)
    const said = await Promise.all(running.map(({ ended }) => ended))
    for (const one of said) expect(one).toMatch(/^error conflict .*is sealed/)
    configure(first)
    const promised = running.flatMap(one => one.promised)
    expect(size).toBe(2000 + promised.length)
    await expectAll(first, promised)
  })

  test('and is killed at random moments, is whole in the end, and was never two', async () => {
    const installation = await open(3000)
    const { first, database } = installation
    const running = appender(first, 10_000)
    let kills = 0
    while (kills < 5 && (await migrateOrDie(first, kills === 0 ? 700 : 2700)) === 'killed') {
      kills++
      await expectOne(first, database.url)
    }
    expect(kills).toBeGreaterThan(0)
    // Where it was killed after all was done, there is nothing left to be moved.
    expect((await migrate(first)).outcome).toMatch(/moved$/)
    await expectOne(first, database.url)
    expect(await running.ended).toMatch(/^error conflict .*is sealed/)
    configure(first)
    await expectAll(first, running.promised)
  }, 300_000)

  test('takes over what was erased after it was copied', async () => {
    const { first } = await open(2)
    first.write('d.json', JSON.stringify(draftOf('domain-05-product', 'domain-02-analysis')))
    const { receipt } = await send.run({ path: 'd.json' }, first.app())
    // Where the seal is to be written stands a folder: all was copied and compared before.
    const inTheWay = join(first.root, '.waybill/ledger/.sealed.new/x')
    mkdirSync(inTheWay, { recursive: true })
    await expect(migrate(first)).rejects.toThrow(/sealed cannot be written \(EISDIR\)/)
    rmSync(dirname(inTheWay), { recursive: true })
    const digest = String(receipt.index)
    await logErase.run({ digest, by: 'ada', why: 'holds a name' }, first.app())
    expect(await migrate(first)).toMatchObject({ outcome: 'moved' })
    configure(first)
    const { entries } = await logShow.run({ about: digest }, first.app())
    expect(entries).toMatchObject([{ state: 'erased' }])
    expect(await logVerify.run({}, first.app())).toMatchObject({ verified: true, faults: [] })
  })
})

/** Moves the log in a process that is killed at some moment, unless it was faster. */
async function migrateOrDie(machine: Machine, most: number): Promise<'moved' | 'killed'> {
  const moving = machine.waybill('log', 'migrate', '--to', 'postgres')
  const killing = wait(200 + Math.random() * (most - 200)).then(() => moving.kill())
  const { status, stderr } = await moving.ended
  await killing
  if (status === null) return 'killed'
  if (status !== 0) throw new Error(stderr)
  return 'moved'
}

/** A process that appends to the log of a machine until it is refused. */
function appender({ root }: Machine, from: number) {
  const program = join(import.meta.dirname, '../../test/appender.ts')
  const child = spawn(process.execPath, [program, root, String(from)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const promised: (readonly [index: number, number: number])[] = []
  let [rest, said] = ['', '']
  child.stdout.on('data', chunk => {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const [index, number] = line.split(' ').map(Number)
      if (line.startsWith('error')) said = line
      else promised.push([index ?? -1, number ?? -1])
    }
  })
  const ended = new Promise<string>(resolve => child.on('close', () => resolve(said)))
  return { promised, ended }
}

/** Everything that was promised stands where it was promised, once, and the log verifies. */
async function expectAll(
  machine: Machine,
  promised: readonly (readonly [index: number, number: number])[],
): Promise<void> {
  expect(await logVerify.run({}, machine.app())).toMatchObject({ verified: true, faults: [] })
  const { log } = await openLedger(machine.app())
  for (const [index, number] of promised) expect(await log?.find(`id:s-${number}`)).toEqual([index])
}

/** Files that are not sealed and a database that takes appends are never there together. */
async function expectOne({ root }: Machine, url: string): Promise<void> {
  const isSealed = existsSync(join(root, '.waybill/ledger/sealed'))
  const raw = await connectRaw(url)
  const { rows } = await raw.client.query('select is_moving, size from waybill.ledger_state')
  await raw.end()
  const [{ is_moving: isMoving, size }] = rows
  const isLiveThere = !isMoving && Number(size) > 0
  expect(isSealed || !isLiveThere).toBe(true)
}
