import { type Context, type Finding, nearest, quote, type Rule } from '../contract/index.ts'
import type { Path } from '../document/index.ts'
import { decisionsOfType, type MissionFacts } from './mission-facts.ts'
import { valuesAt } from './times.ts'

const NUL = '\u0000'

/** The rule that no text or key contains U+0000, which PostgreSQL cannot store. */
export const noNullCharacters: Rule<unknown> = {
  severity: 'error',
  summary: 'No text and no key contains the character \\u0000.',
  why: "PostgreSQL's jsonb cannot store it, so the artifact could never be stored.",
  // Runs despite any structural error.
  reads: [],
  check(root: unknown, { document }: Context): Iterable<Finding> {
    // JSON and YAML can write the character only with a backslash, which most artifacts do not contain.
    return document.text.includes('\\') ? nullCharactersIn(root) : []
  },
}

function* nullCharactersIn(root: unknown): Iterable<Finding> {
  const open: { path: Path; value: unknown }[] = [{ path: [], value: root }]
  for (let node = open.pop(); node; node = open.pop()) {
    for (const [key, value] of membersOf(node.value)) {
      const path = [...node.path, key]
      if (typeof key === 'string' && key.includes(NUL))
        yield nullFinding(path, 'the key', key, true)
      if (typeof value === 'object' && value !== null) open.push({ path, value })
      else if (typeof value === 'string' && value.includes(NUL)) {
        yield nullFinding(path, 'the text', value, false)
      }
    }
  }
}

function membersOf(value: unknown): Iterable<[string | number, unknown]> {
  if (Array.isArray(value)) return value.entries()
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

function nullFinding(path: Path, what: string, text: string, atKey: boolean): Finding {
  // Show the text around the character.
  const at = text.indexOf(NUL)
  return {
    path,
    ...(atKey ? { atKey } : {}),
    message: `${what} ${quote(text.slice(Math.max(0, at - 20), at + 20))} contains the character \\u0000`,
    hint: 'remove the character where the text is produced',
  }
}

const OWNERS = ['tenant_id', 'actor_id'] as const

/** The rule that tenant and actor of an artifact match its mission. */
export const ownerMatchesMission: Rule<
  { readonly tenant_id?: string; readonly actor_id?: string },
  MissionFacts
> = {
  severity: 'error',
  summary: "The tenant and the actor, if given, match the mission's.",
  why: 'An artifact with the name of another tenant would expose the data of one tenant to another.',
  reads: OWNERS.map(key => `/${key}`),
  needs: ['envelope'],
  applies: artifact => OWNERS.some(key => artifact[key] !== undefined),
  *check(artifact, { facts: { envelope } }) {
    for (const key of OWNERS) {
      const own = artifact[key]
      if (own === undefined || envelope === undefined || own === envelope[key]) continue
      yield {
        path: [key],
        message: `the mission's ${key} is ${quote(envelope[key])}, not ${quote(own)}`,
        hint: "write the mission's, or remove the key: the value is then taken from the mission",
      }
    }
  },
}

/** The rule that an artifact belongs to a task of its mission. */
export const knownTask: Rule<{ readonly task_id: string }, MissionFacts> = {
  severity: 'error',
  summary: "The task exists in the mission's task graph.",
  why: 'Work for an unplanned task has no place in the mission, and no task reads it.',
  reads: ['/task_id'],
  needs: ['graphs'],
  *check({ task_id }, { facts: { graphs = [] } }: Context<MissionFacts>): Iterable<Finding> {
    const ids = new Set(graphs.flatMap(graph => graph.tasks.map(task => task.task_id)))
    if (ids.has(task_id)) return
    const meant = nearest(task_id, ids)
    yield {
      path: ['task_id'],
      message: `the mission has no task ${quote(task_id)}`,
      hint:
        meant === undefined
          ? 'name a task of the graph, or add this one to the graph'
          : `did you mean ${quote(meant)}?`,
    }
  },
}

/** The rule that policy decisions allow the tools at a pointer. */
export function toolsAllowed(pointer: string): Rule<unknown, MissionFacts> {
  return {
    severity: 'error',
    summary: 'A policy decision of type tool_scope allows every tool, and none denies it.',
    why: 'An agent may use only tools that a policy allows: no decision means not allowed, and deny wins over allow.',
    reads: [pointer],
    needs: ['policies'],
    applies: value => valuesAt(value, pointer).length > 0,
    *check(value: unknown, { facts }: Context<MissionFacts>): Iterable<Finding> {
      const decisions = decisionsOfType('tool_scope', facts.policies)
      for (const { path, value: tool } of valuesAt(value, pointer)) {
        const policy = decisions.get(String(tool))
        if (policy?.decision === 'allow') continue
        yield {
          path,
          message: policy
            ? `the policy decision ${quote(policy.decision_id)} denies the tool ${quote(tool)}`
            : `no policy decision allows the tool ${quote(tool)}`,
          hint: policy
            ? `remove the tool: ${policy.reason}`
            : 'remove the tool, or add a policy decision of type tool_scope that allows it',
        }
      }
    },
  }
}
