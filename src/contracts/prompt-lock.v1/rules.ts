import {
  type Files,
  type Finding,
  type Found,
  quote,
  type Rules,
  shellWord,
} from '../../contract/index.ts'
import {
  type Agent,
  type AgentType,
  agentsOf,
  type LockEntry,
  type Manifest,
  whichAgent,
  whyUnknown,
} from '../agents.ts'
import { type OtherEnds, otherEnds } from '../line-ends.ts'
import { isSameFile, type Prompt, readPrompt } from '../prompt-files.ts'
import { noFutureTimes, standardTimes } from '../times.ts'
import type { PromptLock } from './schema.ts'

/** Facts for the rules of a prompt lock. */
export interface PromptLockFacts {
  /** The manifest whose prompts are locked. */
  readonly manifest: Found<Manifest>
  /** Where the manifest is, also if it has faults. */
  readonly manifestPath: string
  readonly files: Files
}

export const rules = {
  'no-future-times': noFutureTimes('/generated'),
  'standard-times': standardTimes('/generated'),
  'totals-agree': {
    severity: 'error',
    summary: "The totals under 'integrity' match the entries, orchestrators included.",
    why: 'A wrong total shows that an entry was added or removed by hand.',
    reads: ['/prompts/*/type', '/integrity'],
    *check({ prompts, integrity }) {
      const types: AgentType[] = Object.values(prompts).map(({ type }) => type)
      const count = (wanted: AgentType) => types.filter(type => type === wanted).length
      const counts = {
        total_prompts: types.length,
        domains: count('domain'),
        archetypes: count('archetype'),
      }
      for (const key of ['total_prompts', 'domains', 'archetypes'] as const) {
        if (integrity[key] === counts[key]) continue
        const kind = key === 'total_prompts' ? 'entries' : `entries of type '${key.slice(0, -1)}'`
        yield {
          path: ['integrity', key],
          message: `${quote(key)} is ${integrity[key]}, but the number of ${kind} is ${counts[key]}`,
          hint: 'find out which entry was added or removed, then lock the prompts again',
        }
      }
    },
  },
  'every-agent-locked': {
    severity: 'error',
    summary: 'Every agent of the manifest has an entry, orchestrators too.',
    why: 'An agent without an entry cannot be verified, so it cannot take part in a handoff.',
    reads: ['/prompts'],
    needs: ['manifest'],
    unconditional: true,
    *check({ prompts }, { facts: { manifest } }) {
      if (!manifest) return
      for (const { id, type } of agentsOf(manifest.value).all) {
        if (Object.hasOwn(prompts, id)) continue
        yield {
          path: ['prompts', id],
          atKey: true,
          message: `the ${type} ${quote(id)} of ${manifest.path} is not locked`,
          hint: 'review its prompt, then lock it',
        }
      }
    },
  },
  'no-unlisted-prompts': {
    severity: 'error',
    summary: 'Every entry belongs to an agent of the manifest, under its canonical id.',
    why: 'An entry without an agent vouches for an unused prompt.',
    reads: ['/prompts'],
    needs: ['manifest'],
    *check({ prompts }, { facts: { manifest } }) {
      if (!manifest) return
      const agents = agentsOf(manifest.value)
      for (const id of Object.keys(prompts)) {
        if (agents.find(id)) continue
        yield {
          path: ['prompts', id],
          atKey: true,
          message: `the lock has an entry ${quote(id)}, ${whyUnknown(id, agents)}`,
          hint: `${whichAgent(id, agents)}, or remove the entry`,
        }
      }
    },
  },
  'entries-match-manifest': {
    severity: 'error',
    summary: 'Type, version and file of every entry match the manifest.',
    why: 'If they differ, a prompt was changed in one place only, and the hash may be of another file.',
    reads: ['/prompts'],
    needs: ['manifest'],
    uses: ['files'],
    unconditional: true,
    *check({ prompts }, { facts: { manifest, files } }) {
      if (!manifest) return
      const agents = agentsOf(manifest.value)
      for (const [id, entry] of Object.entries(prompts)) {
        const agent = agents.find(id)
        if (!agent) continue
        for (const key of contradicting(entry, agent, manifest.path, files)) {
          yield {
            path: ['prompts', id, key],
            message: `the ${key} of ${quote(id)} is ${quote(entry[key])}, but ${manifest.path} says ${quote(agent[key])}`,
            hint: 'find out which is right, then lock the prompt again',
          }
        }
      }
    },
  },
  'hashes-match-files': {
    severity: 'error',
    summary: 'Every hash matches the bytes of its prompt file.',
    why: 'Handoffs are verified against the lock; a prompt that differs from it is not approved.',
    // The bytes of one prompt are judged whatever is wrong with the manifest or with other entries.
    reads: [],
    needs: ['files'],
    uses: ['manifest', 'manifestPath'],
    unconditional: true,
    *check({ prompts }, { path = '', facts: { manifest, manifestPath, files } }) {
      if (!files) return
      const place = manifest?.path ?? manifestPath
      for (const [id, entry] of Object.entries(prompts ?? {})) {
        if (typeof entry?.file !== 'string') continue
        const prompt = readPrompt(place ?? path, entry.file, files)
        if ('hash' in prompt) yield* differing(prompt, id, entry, files)
        // Without a manifest it is unknown where the path leads from.
        else if (place !== undefined) yield unreadable(prompt, id, entry, place)
      }
    },
  },
} satisfies Rules<PromptLock, PromptLockFacts>

const DIGEST = /^[0-9a-f]{64}$/

function* differing(
  prompt: Extract<Prompt, { hash: string }>,
  id: string,
  { hash }: LockEntry,
  files: Files,
): Generator<Finding> {
  // A malformed hash has another finding.
  if (!DIGEST.test(hash) || prompt.hash === hash) return
  const ends = otherEnds(prompt, hash, files)
  const words = ends ? changedEnds(prompt.path, ends) : changed(prompt)
  yield { path: ['prompts', id, 'hash'], ...words }
}

function unreadable(
  { path, fault, leadsOut }: Extract<Prompt, { fault: string }>,
  id: string,
  { file }: LockEntry,
  manifest: string,
): Finding {
  return {
    path: ['prompts', id, 'file'],
    message: `the prompt ${quote(path ?? file)} of ${quote(id)} ${fault}`,
    hint: leadsOut
      ? 'find out who wrote this path; a prompt must be a file of this repository'
      : `write the path relative to the folder of ${manifest} or to the root, or add the file`,
  }
}

interface Words {
  readonly message: string
  readonly hint: string
}

function changed({ path, hash }: { readonly path: string; readonly hash: string }): Words {
  return {
    message: `the prompt ${quote(path)} has changed since it was locked: its hash is ${hash}; this is a possible security issue`,
    hint: 'have a person compare the file with its approved version; then restore it, or lock the prompt again',
  }
}

function changedEnds(path: string, { locked, has }: OtherEnds): Words {
  return {
    message: `the prompt ${quote(path)} has ${has} line ends but was locked with ${locked}; nothing else has changed`,
    hint:
      locked === 'LF'
        ? asCommitted(path)
        : 'if Git stores it with LF, lock it again with waybill lock and commit that; else restore its CRLF',
  }
}

/** Steps to restore the committed line ends before committing anything else. */
function asCommitted(path: string): string {
  const pattern = path.slice(path.lastIndexOf('/') + 1).replace(/[\s*?[\]\\"#!]/g, '?')
  return `write '${pattern} -text' into a .gitattributes in its folder; then delete the file, restore it with git checkout -- ${shellWord(path)}, and only then commit`
}

type Pinned = 'type' | 'version' | 'file'

function* contradicting(
  entry: LockEntry,
  agent: Agent,
  manifestPath: string,
  files: Files | undefined,
): Generator<Pinned> {
  if (entry.type !== agent.type) yield 'type'
  if (entry.version !== agent.version) yield 'version'
  if (!isSameFile(manifestPath, entry.file, agent.file, files)) yield 'file'
}
