import { spawn, spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { entriesOf } from '../../log-entries.ts'
import { PROGRAM } from '../../program.ts'
import { handoffOf } from './forge.ts'
import { expectVerified, prepare, type Run, type Stand } from './stand.ts'

// Receivers that are killed, and disks that take nothing: never an accepted answer without an entry.

const prepared = await prepare()

/** Puts a handoff into a repository, and gives its id. */
function bring(where: Stand, name: string): string {
  const handoff = handoffOf()
  where.write(`inbox/${name}.json`, JSON.stringify(handoff))
  where.write(`inbox/${name}.dsse.json`, prepared.seal(handoff))
  return handoff.handoff_id
}

/** Runs a receiver and kills it after so many milliseconds. */
function receiveAndKill({ root }: Stand, name: string, after: number): Promise<Run> {
  const memory = join(root, '../memory')
  const line = [process.execPath, PROGRAM, 'receive', `inbox/${name}.json`, '--format', 'json']
  // Replacing itself, env has the process id of the receiver.
  const child = spawn('env', [`XDG_STATE_HOME=${memory}`, ...line], { cwd: root })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', chunk => {
    stdout += chunk
  })
  child.stderr.on('data', chunk => {
    stderr += chunk
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), after)
  return new Promise(resolve =>
    child.on('close', status => {
      clearTimeout(timer)
      resolve({ status, stdout, stderr })
    }),
  )
}

const isAccepted = ({ stdout }: Run) => stdout.includes('"answer": "accepted"')

/** How often a receiver is killed in each of two lanes. */
const KILLS = process.env.WAYBILL_LONG_FAULTS === '1' ? 50 : 6

test('a receiver that is killed at random moments never gives an accepted answer without its entry', {
  timeout: 300_000,
}, async () => {
  const stand = prepared.stand()
  bring(stand, 'usual')
  const begun = performance.now()
  await receiveAndKill(stand, 'usual', 60_000)
  let usual = performance.now() - begun
  const outcomes: { readonly id: string; readonly name: string; readonly run: Run }[] = []
  // Two at a time, so that one takes over what the other leaves.
  const receiveMany = async (lane: number) => {
    for (let at = 0; at < KILLS; at++) {
      const name = `${lane}-${at}`
      const id = bring(stand, name)
      const part = 0.2 + (1.5 * (at + Math.random())) / KILLS
      const run = await receiveAndKill(stand, name, part * usual)
      outcomes.push({ id, name, run })
      // How long it takes changes with what else the machine does: some come through, some do not.
      usual *= isAccepted(run) ? 0.9 : 1.1
    }
  }
  await Promise.all([receiveMany(0), receiveMany(1)])
  const killed = outcomes.filter(({ run }) => run.status === null)
  // It was neither always too late nor always too early.
  expect(killed.length).toBeGreaterThan(KILLS / 5)
  expect(outcomes.filter(({ run }) => isAccepted(run)).length).toBeGreaterThan(KILLS / 5)
  // The next process takes in what was promised and not yet published.
  bring(stand, 'after')
  expect((await stand.run('receive', 'inbox/after.json')).status).toBe(0)
  const accepted = (await entriesOf(stand)).filter(({ kind }) => kind === 'handoff-accepted')
  const ids = accepted.map(
    ({ statement }) => (statement.predicate.ids as { handoff: string }).handoff,
  )
  expect(new Set(ids).size).toBe(ids.length)
  for (const { id, run } of outcomes) if (isAccepted(run)) expect(ids).toContain(id)
  // Of those that were killed, each can still be received once: by now, or before.
  for (const isIn of [true, false])
    for (const { name, run } of killed.filter(({ id }) => ids.includes(id) === isIn).slice(-3)) {
      if (!isIn) expect(run.stdout).toBe('')
      const again = await stand.run('receive', `inbox/${name}.json`)
      expect([name, again.status]).toEqual([name, isIn ? 1 : 0])
    }
  await expectVerified(stand)
})

test('on a disk that is full nothing is accepted, and once there is room everything works', async () => {
  const stand = prepared.stand()
  bring(stand, 'first')
  expect((await stand.run('receive', 'inbox/first.json')).status).toBe(0)
  const published = readFileSync(join(stand.root, '.waybill/ledger/checkpoint'), 'utf8')
  bring(stand, 'full')
  const line = 'waybill receive inbox/full.json --format json && touch ran'
  const full = await stand.shell(`trap '' XFSZ; ulimit -f 0; ${line} | cat; test -e ran`)
  expect(full.stdout).toBe('')
  expect(full.stderr).toMatch(/^waybill: .*(?:EFBIG|cannot be written)/)
  expect(existsSync(join(stand.root, 'ran'))).toBe(false)
  expect(readFileSync(join(stand.root, '.waybill/ledger/checkpoint'), 'utf8')).toBe(published)
  expect(globSync('inbox/*.receipt.json', { cwd: stand.root })).toHaveLength(1)
  expect((await stand.run('receive', 'inbox/full.json')).status).toBe(0)
  await expectVerified(stand)
})

// Skipped where no disk may be mounted.
test.runIf(canMount())(
  'an answer that a full disk keeps from being published is not given, and a repeated call says where it stands',
  async () => {
    const stand = prepared.stand()
    const names = Array.from({ length: 8 }, (_, at) => `small-${at}`)
    for (const name of names) bring(stand, name)
    // A disk of its own, filled but for what takes down a promise and not the files of the tree.
    const arrange = `
    cp -a .waybill kept && mount -t tmpfs -o size=1200k,mode=700 none .waybill && cp -a kept/. .waybill
    dd if=/dev/zero of=.waybill/filler bs=4k 2>/dev/null`
    const run = await stand.shell(`${arrange}; df .waybill`)
    expect(run.status).toBe(0)
    const answers: { readonly name: string; readonly run: Run }[] = []
    try {
      for (const [at, name] of names.entries()) {
        await stand.shell(`truncate -s -${4 * 1024 * (at + 1)} .waybill/filler`)
        answers.push({
          name,
          run: await stand.run('receive', `inbox/${name}.json`, '--format', 'json'),
        })
      }
      await stand.shell('rm .waybill/filler')
      const isLate = (run: Run) => run.stderr.includes('cannot publish a checkpoint')
      const late = answers.filter(({ run }) => isLate(run))
      expect(late.length).toBeGreaterThan(0)
      for (const { run } of late) expect([run.status, run.stdout]).toEqual([2, ''])
      for (const { name, run } of answers) {
        const again = await stand.run('receive', `inbox/${name}.json`)
        // What is recorded is there; of any other error nothing is, and it is received now.
        expect(again.status).toBe(isAccepted(run) || isLate(run) ? 1 : 0)
        if (again.status === 1)
          expect(again.stdout).toMatch(/is already recorded as '.*#[0-9a-f]{64}/)
      }
      await expectVerified(stand)
    } finally {
      await stand.shell('umount .waybill')
    }
  },
)

/** Whether this user may make a disk of its own here. */
function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-disk-'))
  try {
    const line = 'mount -t tmpfs -o size=64k none "$0" && umount "$0"'
    return spawnSync('/bin/sh', ['-c', line, folder]).status === 0
  } finally {
    rmdirSync(folder)
  }
}

test.each([
  ['is a read-only folder', 'chmod -R a-w .waybill/ledger; chmod 500 .waybill/ledger'],
  ['is a file', 'rm -rf .waybill/ledger; echo in the way > .waybill/ledger'],
  ['is a link to nothing', 'rm -rf .waybill/ledger; ln -s /nowhere/at/all .waybill/ledger'],
])('where the ledger %s nothing is accepted, and nothing is answered', async (_, arrange) => {
  const stand = prepared.stand()
  bring(stand, 'first')
  await stand.run('receive', 'inbox/first.json')
  bring(stand, 'second')
  await stand.shell(arrange)
  // The system's administrator may write everywhere, and gives that up here.
  const isAdministrator = process.getuid?.() === 0
  const plainly = isAdministrator ? 'setpriv --bounding-set=-dac_override,-dac_read_search' : ''
  const line = '"$0" "$program" receive inbox/second.json --format json && touch ran'
  const run = await stand.shell(`${plainly} ${line}`)
  expect(run.stdout).toBe('')
  expect(run.status).toBeGreaterThan(0)
  expect(run.stderr).toMatch(/^waybill: /)
  expect(run.stderr).not.toMatch(/^\s+at .+:[0-9]+/m)
  expect(existsSync(join(stand.root, 'ran'))).toBe(false)
})
