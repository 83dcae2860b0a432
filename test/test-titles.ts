import { parseSync } from 'rolldown/utils'

type Node = { readonly type: string } & Readonly<Record<string, unknown>>

const RUNNERS: readonly unknown[] = ['test', 'it', 'describe']
/** What never runs, or is to fail. */
const IDLE: readonly unknown[] = ['skip', 'todo', 'fails']

const TABLES: readonly unknown[] = ['each', 'for']
const CURRIED: readonly unknown[] = [...TABLES, 'skipIf', 'runIf']

/** What the tests of a file are called: titles as they are written, and the texts of the tables that fill them in. */
export function titlesIn(source: string): string[] {
  const { program } = parseSync('a.test.ts', source)
  const titles: string[] = []
  const declared = new Map<unknown, unknown>()
  walk(program, node => {
    if (node.type === 'VariableDeclarator') declared.set(nameOf(node.id), node.init)
    return true
  })
  walk(program, node => {
    if (node.type !== 'CallExpression') return true
    const [runner, ...modes] = chainOf(node.callee)
    if (!RUNNERS.includes(runner)) return true
    if (modes.some(mode => IDLE.includes(mode))) return false
    const [first] = node.arguments as readonly Node[]
    const isTable = first?.type === 'Identifier' && TABLES.includes(modes.at(-1))
    titles.push(...textsOf(isTable ? declared.get(nameOf(first)) : first))
    return true
  })
  return titles

  /** The texts in an expression, but for those in functions. */
  function textsOf(expression: unknown): string[] {
    const texts: string[] = []
    walk(expression, node => {
      if (node.type === 'Literal' && typeof node.value === 'string') texts.push(node.value)
      if (node.type === 'TemplateLiteral')
        texts.push(source.slice(Number(node.start) + 1, Number(node.end) - 1))
      return !node.type.includes('Function')
    })
    return texts
  }
}

/** What each test of a file shows: its title behind those of the groups that it is in; a table of cases is one test. */
export function propertiesIn(source: string): string[] {
  const { program } = parseSync('a.test.ts', source)
  return within(program, '')

  function within(part: unknown, group: string): string[] {
    const found: string[] = []
    walk(part, node => {
      if (node.type !== 'CallExpression') return true
      const [runner, ...modes] = chainOf(node.callee)
      const [first, ...rest] = node.arguments as readonly Node[]
      // `test.each(rows)` and `test.skipIf(what)` are called once more, with the title.
      const isFirst = (node.callee as Node).type === 'MemberExpression'
      if (!RUNNERS.includes(runner) || (isFirst && CURRIED.includes(modes.at(-1)))) return true
      if (modes.some(mode => IDLE.includes(mode))) return false
      const title = [group, titleOf(first)].filter(Boolean).join(': ')
      found.push(...(runner === 'describe' ? within(rest, title) : [title]))
      return false
    })
    return found
  }

  function titleOf(node: Node | undefined): string {
    if (node?.type === 'Literal') return String(node.value)
    return node?.type === 'TemplateLiteral'
      ? source.slice(Number(node.start) + 1, Number(node.end) - 1)
      : ''
  }
}

/** Visits a node and, where the visitor says so, its parts. */
function walk(part: unknown, visit: (node: Node) => boolean): void {
  if (typeof part !== 'object' || part === null) return
  if (isNode(part) && !visit(part)) return
  for (const inner of Object.values(part)) walk(inner, visit)
}

function isNode(part: object): part is Node {
  return 'type' in part && typeof part.type === 'string'
}

/** The names in what is called: `test`, `each` of `test.each(rows)`. */
function chainOf(callee: unknown): unknown[] {
  const { object, property, callee: inner, tag } = callee as Node
  if (object) return [...chainOf(object), nameOf(property)]
  return inner || tag ? chainOf(inner ?? tag) : [nameOf(callee)]
}

const nameOf = (node: unknown) => (node as { readonly name?: unknown } | undefined)?.name
