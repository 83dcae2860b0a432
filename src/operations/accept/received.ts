import { resolve } from 'node:path'
import { as } from '../../contract/index.ts'
import { findContract } from '../../contracts/index.ts'
import { decode, formatOf, MOST_BYTES, readDocuments } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import { readOwnFile } from '../../workspace/index.ts'
import type { DocumentReport } from '../check/output.ts'
import check from '../check.ts'
import type { App } from '../operation.ts'

/** A received document: its bytes, its full check report, and its value parsed from the same bytes. */
export interface Received {
  readonly report: DocumentReport
  readonly bytes?: Uint8Array
  readonly text: string
  readonly value: unknown
}

const CONTRACT = 'session-context'

/** Reads and checks the one session context in a file, a Markdown block or standard input. */
export async function receive(path: string, session: string, app: App): Promise<Received> {
  const { file, block } = addressOf(path)
  const bytes = file === '-' ? await app.stdin() : bytesOf(resolve(app.cwd, file))
  // The check reports a missing or unreadable file.
  if (!bytes) return chosen((await check.run({ paths: [file] }, app)).documents, block, path)
  const { text, faults } = decode(bytes)
  const format = formatOf(file, text, ['json', 'yaml'])
  const stdinPath = file === '-' ? undefined : file
  const { documents: reports } = await check.run(
    {
      paths: ['-'],
      session,
      ...(stdinPath !== undefined && { stdinPath }),
      ...(format !== 'markdown' && { contract: CONTRACT }),
    },
    { ...app, stdin: async () => bytes },
  )
  const found = chosen(reports, block, path)
  const { documents } = await readDocuments(text, format, faults)
  const line = /#L([0-9]+)$/.exec(found.report.path)?.[1]
  const document = documents.find(d => d.line === (line === undefined ? undefined : Number(line)))
  const contract = findContract(CONTRACT)
  const value = contract && document && as(contract, document.value).value
  return { ...found, bytes, text, value }
}

function addressOf(path: string): { file: string; block?: string } {
  const [, file = path, block] = /^(.+)(#L[0-9]+)$/.exec(path) ?? []
  return { file, ...(block !== undefined && { block }) }
}

function bytesOf(file: string): Uint8Array | undefined {
  try {
    return readOwnFile(file, MOST_BYTES)
  } catch {
    return undefined
  }
}

/** Returns the one context in a file; an unreadable file has one report that says so. */
function chosen(
  reports: readonly DocumentReport[],
  block: string | undefined,
  path: string,
): Received {
  const contexts = reports.filter(
    r => (r.contract === CONTRACT || r.contract === null) && (!block || r.path.endsWith(block)),
  )
  const [report, another] = contexts
  if (!report) {
    throw new WaybillError('usage', `${path} contains no session context`, {
      hint: 'run waybill check to see its documents; name a Markdown block like page.md#L12',
    })
  }
  if (another) {
    throw new WaybillError('usage', `${path} contains several session contexts`, {
      hint: `name one of them: ${contexts.map(r => r.path.replace(/^.*#/, '#')).join(', ')}`,
    })
  }
  return { report, text: '', value: undefined }
}
