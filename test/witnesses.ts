import { type ChildProcess, spawn } from 'node:child_process'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { digestBytes } from '../src/governance/index.ts'
import {
  COSIGNATURE,
  consistencyProof,
  ED25519,
  formatCheckpoint,
  formatVerifierKey,
  formatWitnessRequest,
  noteSigner,
  signNote,
  verifierKey,
} from '../src/ledger/index.ts'
import logCheckpoint from '../src/operations/log-checkpoint.ts'
import logWitness from '../src/operations/log-witness.ts'
import { type LedgerFolder, openLedgerFolder, recordSmall } from './ledger-folder.ts'
import { PROGRAM } from './program.ts'
import { openTestFolder, type TestFolder } from './test-folder.ts'
import { entryAt, pairOf, treeOf } from './tree.ts'

/** A log of the tests, which signs any history; `other` is what its entries say from an index on. */
export function signingLog(origin: string, seed = 1) {
  const pair = pairOf(seed)
  const key = verifierKey(digestBytes, origin, ED25519, pair.publicKey)
  const signer = noteSigner(key, pair.sign)
  const treeAt = (size: number, other?: { from: number; word: string }) =>
    treeOf(
      Array.from({ length: size }, (_, i) =>
        other && i >= other.from ? Buffer.from(`${other.word} ${i}`) : entryAt(i),
      ),
    )
  return {
    key: formatVerifierKey(key),
    /** What it sends to a witness that has cosigned `old` entries. */
    request: async (old: number, size: number, other?: { from: number; word: string }) => {
      const { root, read } = treeAt(size, other)
      const proof =
        old > size ? [] : await consistencyProof(digestBytes, old, size, tile => read(tile))
      const checkpoint = signNote(formatCheckpoint({ origin, size, root }), [signer])
      return formatWitnessRequest({ old, proof, checkpoint })
    },
  }
}

/** A repository that may be a witness of some logs, by their verifier keys. */
export function openWitnessFolder(keys: readonly string[]): TestFolder {
  const folder = openTestFolder()
  folder.write('waybill.yaml', trusting(keys))
  return {
    ...folder,
    app: (more = {}) => folder.app({ now: Date.now(), clock: Date.now, ...more }),
  }
}

/** A configuration that lists the keys of logs. */
export function trusting(keys: readonly string[]): string {
  const entries = keys.map(
    key => `  - log: ${key.split('+')[0]}\n    key: ${key}\n    from: 2020-01-01T00:00:00Z\n`,
  )
  return keys.length === 0 ? '' : `trust:\n${entries.join('')}`
}

/** A process that is a witness. */
export interface WitnessProcess {
  readonly url: string
  readonly key: string
  readonly process: ChildProcess
  /** The answers that it has reported so far. */
  readonly answers: readonly { status: number; code: string | null; recorded: number | null }[]
  /** Ends it, and gives the exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>
}

const running: ChildProcess[] = []

/** Starts `waybill log witness --serve` on a free port of this machine. */
export async function startWitness(
  root: string,
  ...more: readonly string[]
): Promise<WitnessProcess> {
  const args = ['log', 'witness', '--serve', '127.0.0.1:0', '--format', 'json', ...more]
  const child = spawn(process.execPath, [PROGRAM, ...args, '--root', root], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.push(child)
  const ended = new Promise<number | null>(resolve => child.once('exit', resolve))
  let complaint = ''
  child.stderr.on('data', chunk => {
    complaint += chunk
  })
  const answers: WitnessProcess['answers'][number][] = []
  const first = await new Promise<{ url: string; key: string }>((resolve, reject) => {
    void ended.then(() => reject(new Error(complaint)))
    createInterface(child.stdout).on('line', line => {
      const event = JSON.parse(line)
      if (event.event === 'listening') resolve(event)
      else answers.push(event)
    })
  })
  const end = (signal: NodeJS.Signals = 'SIGKILL') => {
    child.kill(signal)
    return ended
  }
  return { url: first.url, key: first.key, process: child, answers, end }
}

/** Ends all witnesses that a test has started. */
export function endWitnesses(): void {
  for (const child of running.splice(0)) child.kill('SIGKILL')
}

/** What answers in the place of a witness. */
export type Liar = (body: string, response: ServerResponse, request: IncomingMessage) => void

/** Serves an arbitrary answer in the place of a witness. */
export async function startLiar(lie: Liar): Promise<{ url: string; close(): void }> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    lie(Buffer.concat(chunks).toString(), response, request)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}/`, close }
}

/** Sends the body of a request to a witness. */
export async function postTo(url: string, body: string | Uint8Array) {
  const response = await fetch(`${url}add-checkpoint`, { method: 'POST', body: body as string })
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    text: await response.text(),
  }
}

/** Makes a repository whose log has some entries, and gives its verifier key too. */
export async function openLogOf(entries: number): Promise<{ log: LedgerFolder; key: string }> {
  const log = await openLedgerFolder()
  await grow(log, entries)
  return { log, key: (await logCheckpoint.run({}, log.app())).keys[0] ?? '' }
}

/** Records some more entries. */
export function grow(log: LedgerFolder, entries: number): Promise<void> {
  return log.withGateway(async gateway => {
    for (let i = 0; i < entries; i++) await recordSmall(gateway, i)
  })
}

/** A policy in which some of the witnesses are enough, named `w0` and so on. */
export function policyText(
  witnesses: readonly { key: string; url: string }[],
  threshold: number,
): string {
  return [
    ...witnesses.map(({ key, url }, i) => `witness w${i} ${key} ${url}`),
    `group all ${threshold} ${witnesses.map((_, i) => `w${i}`).join(' ')}`,
    'quorum all\n',
  ].join('\n')
}

/** Asks the witnesses of a policy; `codes` says what went wrong with each. */
export async function asked({ app }: Pick<TestFolder, 'app'>, policy = 'policy.txt') {
  const output = await logWitness.run({ policy }, app())
  if (output.role !== 'log') throw new Error('it answered as a witness')
  return { ...output, codes: output.witnesses.map(({ fault }) => fault?.code ?? null) }
}

/** Files in a folder: policies with and without a witness, and a request of the log that the latter names. */
export async function witnessFiles(folder: string): Promise<Readonly<Record<string, string>>> {
  const log = signingLog('example.com/log')
  const { publicKey } = pairOf(2)
  const witness = verifierKey(digestBytes, 'witness.example', COSIGNATURE, publicKey)
  return {
    [`${folder}/none.txt`]: `log ${log.key}\nquorum none\n`,
    [`${folder}/few.txt`]: `witness w ${formatVerifierKey(witness)}\nquorum w\n`,
    [`${folder}/request.txt`]: await log.request(0, 3),
  }
}
