import { WaybillError } from '../../error.ts'
import { putBlock, takeOutBlock } from './block.ts'
import { type AgentFile, OWN_FILE } from './files.ts'
import { OWN_COMMAND, putJson, takeOutJson } from './json.ts'

/** The text of a file with our part; nothing where the file is not needed. */
export function put(text: string | undefined, file: AgentFile): string | undefined {
  switch (file.kind) {
    case 'json':
      return putJson(text ?? '', file)
    case 'block':
      return text === undefined && file.ifPresent ? undefined : putBlock(text ?? '', file)
    case 'file':
      // A checkout may change line ends.
      if (text?.replaceAll('\r\n', '\n') === file.text) return text
      if (text === undefined || text.includes(OWN_FILE)) return file.text
      throw new WaybillError('exists', `${file.path} exists and was not written by waybill init`, {
        hint: 'move it away and run this again; nothing was written',
      })
  }
}

/** The text of a file without our part; nothing where nothing else is left. */
export function takeOut(text: string, file: AgentFile): string | undefined {
  switch (file.kind) {
    case 'json':
      return takeOutJson(text, file)
    case 'block':
      return takeOutBlock(text, file)
    case 'file':
      return text.includes(OWN_FILE) ? undefined : text
  }
}

/** Whether the first file of an agent shows that its hooks are installed. */
export function holdsHooks(text: string): boolean {
  return text.includes(OWN_FILE) || OWN_COMMAND.test(text)
}
