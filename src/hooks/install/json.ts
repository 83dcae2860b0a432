import { type Node, parseTree } from 'jsonc-parser'
import { WaybillError } from '../../error.ts'
import type { HookGroup, Json, JsonFile, JsonMember } from './files.ts'

type Where = readonly (string | number)[]

/** Adds our hooks and members; returns the same text where nothing is missing. */
export function putJson(text: string, { path, hooks, members = [] }: JsonFile): string {
  const edit = openJson(text === '' ? '{\n}\n' : text, path)
  if (hooks) putHooks(edit, hooks)
  for (const member of members) putMember(edit, member)
  return edit.text()
}

function putHooks(edit: Edit, hooks: Readonly<Record<string, HookGroup>>): void {
  // An earlier version may have had other events.
  for (const event of new Set([...Object.keys(hooks), ...edit.keysAt(['hooks'])])) {
    const wanted = hooks[event]
    const own = ownHooks(edit, event)
    if (wanted && own.length === 1 && isSame(edit.valueAt(own[0] ?? []), wanted)) continue
    removeAll(edit, own)
    if (wanted) edit.add(['hooks', event], wanted)
  }
}

function putMember(edit: Edit, { at, forms }: JsonMember): void {
  const [wanted = null] = forms
  const there = edit.valueAt(at)
  // What is ours in no form is the user's choice.
  const isOurs = there === undefined || forms.some(form => isSame(there, form))
  if (!isOurs || isSame(there, wanted)) return
  if (there !== undefined) edit.remove(at)
  edit.add(at.slice(0, -1), wanted, at.at(-1))
}

/** Takes our hooks and members out; returns nothing where init made the file. */
export function takeOutJson(text: string, file: JsonFile): string | undefined {
  const edit = openJson(text, file.path)
  for (const event of file.hooks ? edit.keysAt(['hooks']) : [])
    removeAll(edit, ownHooks(edit, event))
  for (const { at, forms } of file.members ?? []) {
    const there = edit.valueAt(at)
    if (forms.some(form => isSame(there, form))) edit.remove(at)
  }
  const result = edit.text()
  return result !== text && /^\{\r?\n\}\s*$/.test(result) ? undefined : result
}

/** Whether a command is a hook of Waybill, whatever starts it. */
export const OWN_COMMAND = /(?:^|[\s/\\"'])waybill\\?["']? hook [a-z-]+ \w/

type Edit = ReturnType<typeof openJson>

/** Where our hooks of an event are: a whole group, or single hooks in a group with others. */
function ownHooks(edit: Edit, event: string): Where[] {
  const groups = edit.valueAt(['hooks', event])
  if (!Array.isArray(groups)) return []
  return groups.flatMap((group: Partial<HookGroup> | null, i) => {
    const hooks = Array.isArray(group?.hooks) ? group.hooks : []
    const own = hooks.flatMap((hook, j) =>
      typeof hook?.command === 'string' && OWN_COMMAND.test(hook.command) ? [j] : [],
    )
    const at = ['hooks', event, i]
    return own.length > 0 && own.length === hooks.length ? [at] : own.map(j => [...at, 'hooks', j])
  })
}

/** Removes the last one first: the places of the others stay. */
function removeAll(edit: Edit, places: readonly Where[]): void {
  for (const where of places.toReversed()) edit.remove(where)
}

/** Edits a JSON text in place; what is added and removed again leaves no trace. */
function openJson(source: string, path: string) {
  const mark = source.startsWith('\ufeff') ? '\ufeff' : ''
  let text = source.slice(mark.length)
  const end = text.includes('\r\n') ? '\r\n' : '\n'
  const unit = /\n([ \t]+)"/.exec(text)?.[1] ?? '  '
  mustBeObject(text, path)

  const find = (where: Where) => nodeAt(parseTree(text), where)
  const splice = (from: number, to: number, put: string) => {
    text = text.slice(0, from) + put + text.slice(to)
  }

  /** Adds a member or an element at the end of a container, which is created where it is missing. */
  function add(where: Where, value: Json, key?: string | number): void {
    const container = find(where)
    if (container) insert(container, where, value, key)
    else add(where.slice(0, -1), key === undefined ? [value] : { [key]: value }, where.at(-1))
  }

  function insert(container: Node, where: Where, value: Json, key?: string | number): void {
    const [type, kind] = key === undefined ? ['array', 'a list'] : ['object', 'an object']
    if (container.type !== type) throw unfit(path, `${where.join('.')} is not ${kind}`)
    const indent = end + unit.repeat(where.length + 1)
    const lines = JSON.stringify(value, null, unit).replaceAll('\n', indent)
    const item = indent + (key === undefined ? lines : `${JSON.stringify(key)}: ${lines}`)
    const last = container.children?.at(-1)
    if (last) splice(endOf(last), endOf(last), `,${item}`)
    else splice(container.offset + 1, container.offset + 1, item)
  }

  /** Whether a container goes with its only item: one that was there empty closes right after our item. */
  function isMade(container: Node, only: Node): boolean {
    const open = text.slice(container.offset + 1, only.offset)
    const close = text.slice(endOf(only), endOf(container) - 1)
    return !open.includes('\n') || /^\r?\n[ \t]*$/.test(close)
  }

  /** Removes a member or an element, and the containers of ours that this empties. */
  function remove(where: Where): void {
    const parent = find(where.slice(0, -1))
    const found = find(where)
    if (!parent?.children || !found) return
    const { offset } = (parent.type === 'object' && found.parent) || found
    const i = parent.children.findIndex(child => child.offset === offset)
    const [before, at, after] = [i - 1, i, i + 1].map(n => parent.children?.[n])
    if (!at) return
    if (before) splice(endOf(before), endOf(at), '')
    else if (after) splice(at.offset, after.offset, '')
    else if (where.length > 1 && isMade(parent, at)) remove(where.slice(0, -1))
    else splice(parent.offset + 1, endOf(at), '')
  }

  return {
    text: () => mark + text,
    valueAt: (where: Where): unknown => {
      const node = find(where)
      return node && JSON.parse(text.slice(node.offset, endOf(node)))
    },
    keysAt: (where: Where): string[] => {
      const node = find(where)
      return node?.type === 'object' ? (node.children ?? []).map(keyOf) : []
    },
    add,
    remove,
  }
}

function nodeAt(root: Node | undefined, where: Where): Node | undefined {
  return where.reduce<Node | undefined>((node, step) => {
    if (typeof step === 'number') return node?.type === 'array' ? node.children?.[step] : undefined
    if (node?.type !== 'object') return undefined
    // Programs read the last one of members with the same name.
    return node.children?.findLast(member => keyOf(member) === step)?.children?.[1]
  }, root)
}

const keyOf = (member: Node): string => String(member.children?.[0]?.value)

const endOf = ({ offset, length }: Node): number => offset + length

function mustBeObject(text: string, path: string): void {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    const hasComments = parseTree(text, [], { allowTrailingComma: true }) && /\/[/*]/.test(text)
    throw unfit(
      path,
      `it is not plain JSON${hasComments ? ', perhaps because of comments' : ''}: ${(cause as Error).message}`,
    )
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw unfit(path, 'it is not a JSON object')
}

function unfit(path: string, why: string): WaybillError {
  return new WaybillError('exists', `${path} cannot be merged: ${why}`, {
    hint: `correct ${path}, or move it away and merge it by hand afterwards; nothing was written`,
  })
}

/** Whether two values are the same JSON, whatever the order of their members. */
function isSame(left: unknown, right: unknown): boolean {
  if (typeof left !== 'object' || typeof right !== 'object' || !left || !right)
    return left === right
  const [mine, other] = [Object.entries(left), new Map(Object.entries(right))]
  return (
    Array.isArray(left) === Array.isArray(right) &&
    mine.length === other.size &&
    mine.every(([key, value]) => other.has(key) && isSame(value, other.get(key)))
  )
}
