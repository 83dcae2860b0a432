import { type Files, quote, type Rules } from '../../contract/index.ts'
import type { Path } from '../../document/index.ts'
import { agentsOf, constituentFaults, whichAgent, whyUnknown, wrongSum } from '../agents.ts'
import { appearanceOf, strangenessOf } from '../lookalikes.ts'
import { fileOf, readPrompt } from '../prompt-files.ts'
import { noFutureTimes, standardTimes } from '../times.ts'
import type { PromptManifest } from './schema.ts'

/** Facts for the rules of a prompt manifest. */
export interface PromptManifestFacts {
  readonly files: Files
}

const AGENTS = ['/domains', '/archetypes', '/orchestrators']

export const rules = {
  'no-future-times': noFutureTimes('/generated'),
  'standard-times': standardTimes('/generated'),
  'unique-canonical-ids': {
    severity: 'error',
    summary: 'No two agents have the same canonical id.',
    why: 'A handoff identifies an agent by its canonical id alone; with a duplicate, it is unclear whose prompt runs.',
    reads: AGENTS,
    *check(manifest) {
      const first = new Map<string, Path>()
      for (const { id, path } of agentsOf(manifest).all) {
        const seen = first.get(id)
        if (!seen) first.set(id, path)
        else {
          yield {
            path: [...path, 'canonical_id'],
            message: `the canonical id ${quote(id)} is already used by /${seen.join('/')}`,
            hint: 'give one of the two another id',
          }
        }
      }
    },
  },
  'canonical-id-is-key': {
    severity: 'warning',
    summary: 'The key of every agent is its canonical id.',
    why: 'Another key is a second name, but handoffs, compositions and the lock use the canonical id only.',
    reads: AGENTS,
    *check(manifest) {
      for (const { id, path } of agentsOf(manifest).all) {
        if (path[1] === id) continue
        yield {
          path,
          atKey: true,
          message: `the key ${quote(path[1])} is not the canonical id ${quote(id)}`,
          hint: `use ${quote(id)} as the key too, or ${quote(path[1])} as the canonical_id`,
        }
      }
    },
  },
  'plain-canonical-ids': {
    severity: 'error',
    summary: "Canonical ids have at most 128 ASCII letters, digits, '-', '_' and '.'.",
    why: 'Letters of other scripts look like these, so two agents could have ids that look the same.',
    reads: AGENTS,
    *check(manifest) {
      for (const { id, path } of agentsOf(manifest).all) {
        const strange = strangenessOf(id)
        if (strange === undefined) continue
        yield {
          path: [...path, 'canonical_id'],
          message: `the canonical id ${quote(id)} ${strange}`,
          hint: 'start with an ASCII letter or digit, then use those, -, _ and single dots, at most 128 in all',
        }
      }
    },
  },
  'no-lookalike-ids': {
    severity: 'error',
    summary: 'No two canonical ids look alike: 0 and O, 1, l and I, m and rn are easily confused.',
    why: 'A reader or reviewer would take two agents for one, and a new one for the known one.',
    reads: AGENTS,
    *check(manifest) {
      const first = new Map<string, string>()
      for (const { id, path } of agentsOf(manifest).all) {
        const appearance = appearanceOf(id)
        const other = first.get(appearance) ?? id
        first.set(appearance, other)
        // Duplicates and other scripts have their own rules.
        if (other === id || strangenessOf(id) !== undefined) continue
        yield {
          path: [...path, 'canonical_id'],
          message: `the canonical id ${quote(id)} looks like ${quote(other)}`,
          hint: 'rename one of the two so that people can distinguish them',
        }
      }
    },
  },
  'composition-sums-to-100': {
    severity: 'error',
    summary: 'The percentages of every composition sum to exactly 100.',
    why: 'Percentages that do not sum to 100 do not describe the whole agent.',
    reads: AGENTS,
    *check(manifest) {
      for (const agent of agentsOf(manifest).all) {
        const sum = wrongSum(agent)
        if (sum === undefined) continue
        yield {
          path: [...agent.path, 'composition'],
          atKey: true,
          message: `the composition of ${quote(agent.id)} sums to ${sum} percent, not 100`,
          hint: 'correct the percentages',
        }
      }
    },
  },
  'known-constituents': {
    severity: 'error',
    summary: 'Every archetype is composed of two to four domains of this manifest.',
    why: 'A missing constituent, or one that is not a domain, has no prompt and no scope to compose.',
    reads: AGENTS,
    *check(manifest) {
      const agents = agentsOf(manifest)
      for (const agent of agents.all) {
        for (const { domain, message, hint } of constituentFaults(agent, agents)) {
          // Duplicate ids have their own rule; so below.
          if (domain !== undefined && agents.isAmbiguous(domain)) continue
          const composition = [...agent.path, 'composition']
          const path = domain === undefined ? composition : [...composition, domain]
          yield { path, atKey: true, message, hint }
        }
      }
    },
  },
  'known-handoff-targets': {
    severity: 'error',
    summary: "Every agent in a 'hands_to' is an agent of this manifest.",
    why: 'A permission for an unknown agent is a mistake, or applies to whichever agent takes that id later.',
    reads: AGENTS,
    *check(manifest) {
      const agents = agentsOf(manifest)
      for (const { path, id, collaboration } of agents.all) {
        for (const [i, target] of (collaboration.hands_to ?? []).entries()) {
          if (agents.find(target) || agents.isAmbiguous(target)) continue
          yield {
            path: [...path, 'collaboration', 'hands_to', i],
            message: `${quote(id)} may hand over to ${quote(target)}, ${whyUnknown(target, agents)}`,
            hint: whichAgent(target, agents),
          }
        }
      }
    },
  },
  'known-redirects': {
    severity: 'error',
    summary: 'Every redirect of a topic names an agent of this manifest.',
    why: 'A redirected request needs an existing agent.',
    reads: AGENTS,
    *check(manifest) {
      const agents = agentsOf(manifest)
      for (const { path, id, collaboration } of agents.all) {
        for (const [i, { topic, redirect }] of (collaboration.out_of_scope ?? []).entries()) {
          if (agents.find(redirect) || agents.isAmbiguous(redirect)) continue
          yield {
            path: [...path, 'collaboration', 'out_of_scope', i, 'redirect'],
            message: `${quote(id)} redirects ${quote(topic)} to ${quote(redirect)}, ${whyUnknown(redirect, agents)}`,
            hint: whichAgent(redirect, agents),
          }
        }
      }
    },
  },
  'own-prompt-files': {
    severity: 'warning',
    summary: 'No two agents have the same prompt file.',
    why: 'Two ids with one prompt are one agent with two names, so a restriction of one does not apply to the other.',
    reads: AGENTS,
    uses: ['files'],
    *check(manifest, { path = '', facts: { files } }) {
      const first = new Map<string, string>()
      for (const agent of agentsOf(manifest).all) {
        const file = fileOf(path, agent.file, files)
        const other = file === undefined ? undefined : first.get(file)
        if (file !== undefined && other === undefined) first.set(file, agent.id)
        // Duplicate ids have their own rule.
        if (other === undefined || other === agent.id) continue
        yield {
          path: [...agent.path, 'file'],
          message: `the prompt ${quote(agent.file)} of ${quote(agent.id)} is also the prompt of ${quote(other)}`,
          hint: 'give each agent its own prompt, or list one agent only',
        }
      }
    },
  },
  'prompt-files-exist': {
    severity: 'error',
    summary: "Every agent's prompt file exists.",
    why: 'An agent without a prompt cannot run or be verified.',
    reads: AGENTS,
    needs: ['files'],
    *check(manifest, { path = '', facts: { files } }) {
      if (!files) return
      for (const { leadsOut, ...place } of unreadable(manifest, path, files)) {
        if (leadsOut) continue
        yield {
          ...place,
          hint: "write the path relative to the manifest's folder or to the root, or add the file",
        }
      }
    },
  },
  'prompts-inside-repository': {
    severity: 'error',
    summary:
      "Every agent's prompt file is inside the repository, also after following symlinks, and not in .git or .waybill.",
    why: 'Such files are not committed or reviewed, so anyone who can write them can change the agent.',
    reads: AGENTS,
    needs: ['files'],
    unconditional: true,
    *check(manifest, { path = '', facts: { files } }) {
      if (!files) return
      for (const { leadsOut, ...place } of unreadable(manifest, path, files)) {
        if (!leadsOut) continue
        yield {
          ...place,
          hint: 'find out who wrote this path; a prompt must be a file of this repository',
        }
      }
    },
  },
} satisfies Rules<PromptManifest, PromptManifestFacts>

/** The unreadable prompt files. */
function* unreadable(
  manifest: PromptManifest,
  manifestPath: string,
  files: Files,
): Generator<{ leadsOut: boolean; path: Path; message: string }> {
  for (const { path, file, id } of agentsOf(manifest).all) {
    const prompt = readPrompt(manifestPath, file, files)
    if (!('fault' in prompt)) continue
    const message = `the prompt ${quote(prompt.path ?? file)} of ${quote(id)} ${prompt.fault}`
    yield { leadsOut: prompt.leadsOut, path: [...path, 'file'], message }
  }
}
