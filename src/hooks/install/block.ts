import { WaybillError } from '../../error.ts'
import type { BlockFile } from './files.ts'

const MARKS = {
  html: ['<!-- waybill:begin -->', '<!-- waybill:end -->'],
  hash: ['# waybill:begin', '# waybill:end'],
} as const

/** Adds or renews our part of a text; the rest stays as it is. */
export function putBlock(text: string, file: BlockFile): string {
  const { comment, unless } = file
  const [begin, close] = MARKS[comment]
  const end = text.includes('\r\n') ? '\r\n' : '\n'
  const block = `${begin}\n${file.text}\n${close}`.replaceAll('\n', end)
  const found = findBlock(text, file)
  if (found) return text.slice(0, found.from) + block + text.slice(found.to)
  if (unless?.test(text)) return text
  if (text === '') return `${block}${end}`
  // Without a last line end before, there is none after: so removal restores each byte.
  return text.endsWith('\n') ? `${text}${end}${block}${end}` : `${text}${end}${end}${block}`
}

/** Takes our part out of a text; returns nothing where no other text is left. */
export function takeOutBlock(text: string, file: BlockFile): string | undefined {
  const found = findBlock(text, file)
  if (!found) return text
  const before = text.slice(0, found.from)
  const after = text.slice(found.to)
  const [kept, rest] =
    after === ''
      ? [before.replace(/\r?\n\r?\n$/, ''), '']
      : [before.replace(/(^|\n)\r?\n$/, '$1'), after.replace(/^\r?\n/, '')]
  // A file that has to be there first is the user's, even empty.
  return kept + rest === '' && !file.ifPresent ? undefined : kept + rest
}

function findBlock(text: string, { path, comment }: BlockFile) {
  const [begin, close] = MARKS[comment]
  const from = text.indexOf(begin)
  const last = text.indexOf(close, from)
  if (from < 0 && !text.includes(close)) return undefined
  if (from < 0 || last < 0 || text.indexOf(begin, from + 1) >= 0)
    throw new WaybillError(
      'exists',
      `${path} cannot be merged: '${begin}' and '${close}' do not mark exactly one part`,
      { hint: `remove these lines from ${path}; nothing was written` },
    )
  return { from, to: last + close.length }
}
