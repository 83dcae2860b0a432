import { execFileSync, spawn } from 'node:child_process'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterAll, expect } from 'vitest'
import type { ReceiveOutput } from '../../../src/operations/receive/output.ts'
import { cloneGoverned, openGovernedRepository } from '../../governed-repository.ts'
import { entriesOf } from '../../log-entries.ts'
import { PROGRAM } from '../../program.ts'
import { waybill } from '../../waybill.ts'
import { CANARY, keyOf, openSealer, PRODUCT, type Sealer, sha256, signerOf } from './forge.ts'

/** How a run of the program ended. */
export interface Run {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** What is brought to a receiver. */
export interface Attack {
  readonly document: unknown
  /** The text of the envelope next to it; absent for none. */
  readonly envelope?: string | undefined
  readonly args?: readonly string[]
  /** Of the document's name. */
  readonly ending?: '.json' | '.yaml'
  /** Another file of the program, which is started for it; else it runs in this process. */
  readonly program?: string
}

/** What a receiver made of it. */
export interface Attacked extends Run {
  readonly answer: ReceiveOutput
  /** Whether the target agent would have been run. */
  readonly ran: boolean
  /** Of the document. */
  readonly bytes: string
  /** Words that stand in this document and in no other. */
  readonly canary: string | undefined
}

/** A repository that is attacked: a clone that holds the keys of its own gateway and log, and of no agent. */
export interface Stand {
  readonly root: string
  write(path: string, content: string | Uint8Array): string
  /** Runs the command line in this process. */
  run(...args: readonly string[]): Promise<Run>
  /** The same in another folder. */
  runIn(cwd: string, ...args: readonly string[]): Promise<Run>
  /** Starts the built program. */
  start(...args: readonly string[]): Promise<Run>
  /** Runs a shell line in which `waybill` is the built program. */
  shell(line: string): Promise<Run>
  /** Puts document and envelope there and receives it, as people do: the agent runs behind `&&`, where the status is 0. */
  receive(attack: Attack): Promise<Attacked>
  /** A copy of it with a memory of its own. */
  copy(): Stand
  remove(): void
}

/** Everything that the tests of one file share. */
export interface Prepared {
  /** Where the private keys of the agents are. */
  readonly sender: string
  /** Seals handoffs with the key of the product agent. */
  readonly seal: Sealer
  stand(): Stand
}

/**
 * Makes two installations of one repository; `config` is added to its configuration. All of it is removed after the tests
 * of the file.
 */
export async function prepare(config = ''): Promise<Prepared> {
  const sender = await openGovernedRepository(config)
  const receiver = await cloneGoverned(sender)
  const stands: Stand[] = []
  afterAll(() => {
    for (const one of [...stands, sender, receiver]) one.remove()
  })
  return {
    sender: sender.root,
    seal: openSealer(sender.root, signerOf(keyOf(sender.root, PRODUCT))),
    stand: () => {
      const stand = standIn(receiver.root)
      stands.push(stand)
      return stand
    },
  }
}

/** Attacks are distinguished also in copies of a repository. */
let number = 0

function standIn(original: string): Stand {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-attacked-'))
  const root = join(folder, 'repository')
  copyFolder(original, root)
  // Two copies of one log in one memory would be taken for a log that was put back.
  const memory = join(folder, 'memory')
  if (existsSync(join(original, '../memory'))) copyFolder(join(original, '../memory'), memory)
  // A stand is a machine of its own, which never saw the log at the place of the other.
  execFileSync('find', [folder, '-name', '*.place', '-delete'])
  const shell = (line: string, program = PROGRAM) => shellIn(root, memory, line, program)
  const start = (args: readonly string[], program?: string) =>
    shell(`waybill ${args.map(quoted).join(' ')}`, program)
  const runIn = (cwd: string, ...args: readonly string[]) =>
    waybill(args, { cwd, env: { XDG_STATE_HOME: memory, NO_COLOR: '1' } })
  const write = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
    return path
  }
  const stand: Stand = {
    root,
    write,
    shell: line => shell(line),
    start: (...args) => start(args),
    runIn,
    run: (...args) => runIn(root, ...args),
    receive: async ({ document, envelope, args = [], ending = '.json', program }) => {
      const path = `inbox/attack-${number++}${ending}`
      const content = isContent(document) ? document : JSON.stringify(document, null, 2)
      write(path, content)
      if (envelope !== undefined) write(path.replace(ending, '.dsse.json'), envelope)
      const line = ['receive', path, '--format', 'json', ...args]
      const run = await (program === undefined ? runIn(root, ...line) : start(line, program))
      const ran = run.status === 0
      if (run.stdout === '') throw new Error(`there was no answer: ${run.stderr}`)
      const canary = CANARY.exec(content.toString())?.[0]
      return { ...run, ran, answer: JSON.parse(run.stdout), bytes: sha256(content), canary }
    },
    copy: () => standIn(root),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
  return stand
}

/** Private keys are not read where others may look at them, so modes are kept. */
function copyFolder(from: string, to: string): void {
  execFileSync('cp', ['-a', from, to])
}

const isContent = (document: unknown): document is string | Uint8Array =>
  typeof document === 'string' || document instanceof Uint8Array

const quoted = (arg: string) => `'${arg.replaceAll("'", "'\\''")}'`

function shellIn(cwd: string, memory: string, line: string, program: string): Promise<Run> {
  const command = `waybill() { "$0" "$program" "$@"; }\n${line}`
  // The program env adds variables to those that there are.
  const variables = [`program=${program}`, `XDG_STATE_HOME=${memory}`, 'NO_COLOR=1']
  const args = [...variables, '/bin/sh', '-c', command, process.execPath]
  const child = spawn('env', args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  const out: Buffer[] = []
  const err: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', status => {
      const text = (chunks: Buffer[]) => Buffer.concat(chunks).toString()
      resolve({ status, stdout: text(out), stderr: text(err) })
    })
  })
}

/** The codes of the errors of an answer. */
export const codesOf = ({ answer: { diagnostics } }: Pick<Attacked, 'answer'>) =>
  diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code)

/** The attack was refused with these codes, the target was not run, the refusal is recorded, and nothing leaked. */
export async function expectRefused(
  stand: Stand,
  attacked: Attacked,
  codes: readonly string[],
  secrets: readonly string[] = [],
): Promise<void> {
  const { answer, status, ran } = attacked
  expect({ answer: answer.answer, codes: codesOf(attacked), status, ran }).toEqual({
    answer: 'rejected',
    codes,
    status: 1,
    ran: false,
  })
  await expectRecorded(stand, attacked)
  await expectNothingLeaked(stand, attacked, secrets)
}

/** There is an entry about the refusal: its codes and the digest of the document, and no content. */
async function expectRecorded(stand: Stand, { answer, bytes }: Attacked): Promise<void> {
  const entry = (await entriesOf(stand)).find(({ digest }) => digest === answer.receipt.digest)
  expect(entry?.kind).toBe('handoff-rejected')
  const says = entry?.statement.predicate as { bytes: string; found: { code: string }[] }
  expect(says.bytes).toBe(bytes)
  const found = new Set(says.found.map(({ code }) => code))
  expect(found).toEqual(new Set(answer.diagnostics.map(({ code }) => code)))
  expect(Object.keys(says)).not.toContain('document')
}

/** Neither what was said nor any file holds a word of what was refused, a secret, or a private key. */
export async function expectNothingLeaked(
  stand: Stand,
  { stdout, stderr, canary }: Run & Partial<Attacked>,
  secrets: readonly string[] = [],
): Promise<void> {
  const keys = globSync('.waybill/keys/*.pem', { cwd: stand.root }).flatMap(file =>
    readFileSync(join(stand.root, file), 'utf8').split('\n').slice(1, 2),
  )
  expect(keys.length).toBeGreaterThan(1)
  const own = canary === undefined || (await wasAccepted(stand, canary)) ? [] : [canary]
  const words = [...own, 'PRIVATE KEY', ...keys, ...secrets].flatMap(formsOf)
  const texts = [['stdout', stdout], ['stderr', stderr], ...filesOf(stand)]
  const leaked = texts.flatMap(([name, text = '']) =>
    words.filter(word => text.includes(word)).map(word => `${name}: ${word}`),
  )
  expect(leaked).toEqual([])
}

/** What was accepted is recorded in full, and may come again. */
async function wasAccepted(stand: Stand, canary: string): Promise<boolean> {
  const accepted = (await entriesOf(stand)).filter(({ kind }) => kind === 'handoff-accepted')
  return accepted.some(({ statement }) => JSON.stringify(statement).includes(canary))
}

/** All files but what the attacker brought, the private keys, and Git's own. */
function filesOf({ root }: Stand): (readonly [string, string])[] {
  const folder = dirname(root)
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(file => file.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .filter(path => !OTHERS.test(path))
    .map(path => [path, readFileSync(join(folder, path), 'latin1')] as const)
}

const OTHERS = /\.pem$|attack-\d+(?:\.dsse)?\.(?:json|yaml)$|^repository\/\.git\//

/** A word as it is, and as it looks within base64, wherever in a group of three bytes it begins. */
function formsOf(word: string): readonly string[] {
  const within = [0, 1, 2].map(before => {
    const text = Buffer.concat([Buffer.alloc(before), Buffer.from(word)]).toString('base64')
    // The first and the last characters depend on what precedes and follows the word.
    return text.replace(/=+$/, '').slice(before === 0 ? 0 : before + 1, -1)
  })
  return [word, ...within.filter(form => form.length > 7)]
}

/** The log of a repository is whole, as every reader without a private key can verify. */
export async function expectVerified(stand: Stand): Promise<void> {
  const { status, stdout, stderr } = await stand.run('log', 'verify', '--format', 'json')
  expect(status, `${stdout}\n${stderr}`).toBe(0)
}
