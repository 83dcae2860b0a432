import type { CodeMeaning } from '../contract/index.ts'

const MEND_LINK =
  "Correct 'continues_from', restore the document, or leave the key empty if the chain starts here."

/** The codes of lineage problems. */
export const LINEAGE_CODES = {
  'lineage/missing': {
    severity: 'error',
    summary: 'The document that a handoff continues from exists.',
    why: 'Without it, the next session loses its content and open items.',
    remedy: MEND_LINK,
  },
  'lineage/outside': {
    severity: 'error',
    summary: 'The document that a handoff continues from is in the repository.',
    why: 'Other checkouts do not have files outside of the repository, and Waybill does not read them.',
    remedy: MEND_LINK,
  },
  'lineage/circle': {
    severity: 'error',
    summary: 'No chain of handoffs contains a cycle.',
    why: 'In a cycle, no document is the first or the latest.',
    remedy: "Empty 'continues_from' in the first document of the chain.",
  },
  'lineage/reordered': {
    severity: 'error',
    summary: 'No handoff continues from a newer one.',
    why: 'A document cannot continue one written after it, so one of the two timestamps or the link is wrong.',
    remedy: 'Correct the wrong one of the two timestamps, or name the right predecessor.',
  },
  'lineage/unreadable': {
    severity: 'error',
    summary: 'Every handoff, and every folder that may hold one, can be read.',
    why: 'An unreadable file may be part of any chain, so no chain is known to be complete.',
    remedy: 'Make it readable, or fix its frontmatter: waybill check shows the errors.',
  },
  'lineage/foreign': {
    severity: 'warning',
    summary: 'A handoff continues from a handoff document, not from a draft.',
    why: 'A draft or another kind of page was never handed over, so its content is not confirmed.',
    remedy: 'Name the handoff document that it continues.',
  },
  'lineage/undated': {
    severity: 'warning',
    summary: 'Every handoff has a valid timestamp.',
    why: 'The order of handoffs and their age depend on it.',
    remedy: 'Correct its timestamp.',
  },
  'lineage/orphan': {
    severity: 'warning',
    summary: 'No handoff is separate from the chain of its decision record.',
    why: 'Following the chain never reaches it, so its open items are forgotten.',
    remedy: "Name the document that it continues in 'continues_from'.",
  },
  'lineage/fork': {
    severity: 'info',
    summary: 'At most one document continues a handoff.',
    why: 'When several continue it, each knows only part of what happened since.',
    remedy: 'Read all of them before you continue; the next handoff can merge them.',
  },
  'lineage/merge': {
    severity: 'info',
    summary: 'A session continues one line of handoffs.',
    why: 'A document names one predecessor, so its links do not show the other lines that it continues.',
    remedy: 'Also read the latest documents of the other lines, named in the message.',
  },
  'lineage/parallel': {
    severity: 'info',
    summary: 'The handoffs of a decision record form one chain.',
    why: 'Unconnected chains do not contain what happened in the others.',
    remedy:
      'Read the latest document of each; if one chain continues another, say so in its first document.',
  },
  'lineage/alias': {
    severity: 'info',
    summary: 'A handoff names its predecessor by its real path.',
    why: 'A symbolic link may lead elsewhere later, or in another checkout.',
    remedy: 'Name the document itself, so that every checkout follows the same link.',
  },
} as const satisfies Readonly<Record<string, CodeMeaning>>

export type LineageCode = keyof typeof LINEAGE_CODES
