import { type Files, quote, type Rules } from '../../contract/index.ts'
import type { Path } from '../../document/index.ts'
import {
  agentsOf,
  constituentFaults,
  fileOf,
  readPrompt,
  whichAgent,
  whyUnknown,
  wrongSum,
} from '../agents.ts'
import { appearanceOf, strangenessOf } from '../lookalikes.ts'
import { noFutureTimes } from '../times.ts'
import type { PromptManifest } from './schema.ts'

/** What the rules ask for beside the document. */
export interface PromptManifestFacts {
  readonly files: Files
}

const AGENTS = ['/domains', '/archetypes', '/orchestrators']

/** What the structure of a prompt manifest cannot say. */
export const rules = {
  'no-future-times': noFutureTimes('/generated'),
  'unique-canonical-ids': {
    severity: 'error',
    summary: 'No two agents have the same canonical id.',
    why: 'A handoff names an agent by its canonical id alone; with two of them, nobody knows whose prompt runs.',
    reads: AGENTS,
    *check(manifest) {
      const first = new Map<string, Path>()
      for (const { id, path } of agentsOf(manifest).all) {
        const seen = first.get(id)
        if (!seen) first.set(id, path)
        else {
          yield {
            path: [...path, 'canonical_id'],
            message: `the canonical id ${quote(id)} is already that of /${seen.join('/')}`,
            hint: 'give one of the two an id of its own',
          }
        }
      }
    },
  },
  'canonical-id-is-key': {
    severity: 'warning',
    summary: 'Every agent stands under its canonical id.',
    why: 'A key that differs is a second name, and handoffs, compositions and the lock know the canonical id only.',
    reads: AGENTS,
    *check(manifest) {
      for (const { id, path } of agentsOf(manifest).all) {
        if (path[1] === id) continue
        yield {
          path,
          atKey: true,
          message: `the key ${quote(path[1])} is not the canonical id ${quote(id)}`,
          hint: `write ${quote(id)} as the key too, or ${quote(path[1])} as the canonical_id: whichever is meant`,
        }
      }
    },
  },
  'plain-canonical-ids': {
    severity: 'error',
    summary: "Canonical ids are written with at most 128 ASCII letters, digits, '-', '_' and '.'.",
    why: 'Letters of other scripts look like these: two ids that nobody can tell apart would be two agents.',
    reads: AGENTS,
    *check(manifest) {
      for (const { id, path } of agentsOf(manifest).all) {
        const strange = strangenessOf(id)
        if (strange === undefined) continue
        yield {
          path: [...path, 'canonical_id'],
          message: `the canonical id ${quote(id)} ${strange}`,
          hint: 'begin with an ASCII letter or digit and go on with those, -, _ and single dots, in all 128 at most',
        }
      }
    },
  },
  'no-lookalike-ids': {
    severity: 'error',
    summary:
      'No two canonical ids look alike: 0 and O, 1, l and I, m and rn are taken for each other.',
    why: 'Whoever reads a handoff or a review sees one agent where there are two, and takes the new one for the known one.',
    reads: AGENTS,
    *check(manifest) {
      const first = new Map<string, string>()
      for (const { id, path } of agentsOf(manifest).all) {
        const appearance = appearanceOf(id)
        const other = first.get(appearance) ?? id
        first.set(appearance, other)
        // That an id is claimed twice, or is of another script, is said by its own rule.
        if (other === id || strangenessOf(id) !== undefined) continue
        yield {
          path: [...path, 'canonical_id'],
          message: `the canonical id ${quote(id)} looks like ${quote(other)}`,
          hint: 'name one of the two so that people can tell them apart',
        }
      }
    },
  },
  'composition-sums-to-100': {
    severity: 'error',
    summary: 'The percentages of every composition sum to exactly 100.',
    why: 'A composition that does not add up says less, or more, than the whole of what the agent is.',
    reads: AGENTS,
    *check(manifest) {
      for (const agent of agentsOf(manifest).all) {
        const sum = wrongSum(agent)
        if (sum === undefined) continue
        yield {
          path: [...agent.path, 'composition'],
          atKey: true,
          message: `the composition of ${quote(agent.id)} sums to ${sum} percent, not to 100`,
          hint: 'correct the percentages',
        }
      }
    },
  },
  'known-constituents': {
    severity: 'error',
    summary: 'Every archetype is composed of two to four domains of this manifest.',
    why: 'A constituent that does not exist, or is no domain, has no prompt and no scope to compose.',
    reads: AGENTS,
    *check(manifest) {
      const agents = agentsOf(manifest)
      for (const agent of agents.all) {
        for (const { domain, message, hint } of constituentFaults(agent, agents)) {
          // That an id is claimed twice is said once, by its own rule; so too below.
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
    why: 'A boundary that is opened towards nobody is a mistake, or stands open for whoever takes the name.',
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
    why: 'Whoever is sent away with a request has to be sent to somebody who exists.',
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
    why: 'Two ids with one prompt are two names of one agent: what keeps one of them out, or apart, does not hold the other.',
    reads: AGENTS,
    *check(manifest, { path = '' }) {
      const first = new Map<string, string>()
      for (const agent of agentsOf(manifest).all) {
        const file = fileOf(path, agent.file)
        const other = file === undefined ? undefined : first.get(file)
        if (file !== undefined && other === undefined) first.set(file, agent.id)
        // That an id is claimed twice is said by its own rule.
        if (other === undefined || other === agent.id) continue
        yield {
          path: [...agent.path, 'file'],
          message: `the prompt ${quote(agent.file)} of ${quote(agent.id)} is also that of ${quote(other)}`,
          hint: 'give each agent a prompt of its own, or list one agent only',
        }
      }
    },
  },
  'prompt-files-exist': {
    severity: 'error',
    summary: "Every agent's prompt file exists.",
    why: 'Without its prompt an agent can be neither run nor verified.',
    reads: AGENTS,
    needs: ['files'],
    *check(manifest, { path = '', facts: { files } }) {
      if (!files) return
      for (const { leadsOut, ...place } of unreadable(manifest, path, files)) {
        if (leadsOut) continue
        yield { ...place, hint: "write the path from the manifest's folder, or add the file" }
      }
    },
  },
  'prompts-inside-repository': {
    severity: 'error',
    summary:
      "Every agent's prompt file stands inside the repository, also behind links, and not in .git or .waybill.",
    why: 'A file outside, or in these, is in no commit: whoever can write it there changes what the agent does, and nobody reviews it.',
    reads: AGENTS,
    needs: ['files'],
    unconditional: true,
    *check(manifest, { path = '', facts: { files } }) {
      if (!files) return
      for (const { leadsOut, ...place } of unreadable(manifest, path, files)) {
        if (!leadsOut) continue
        yield { ...place, hint: 'find out who wrote it so; a prompt is a file of this repository' }
      }
    },
  },
} satisfies Rules<PromptManifest, PromptManifestFacts>

/** The prompt files that cannot be read. */
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
