import type { CodeMeaning } from '../contract/index.ts'

const MEND_LINK =
  "Correct 'continues_from', bring the document back, or leave the key empty where the chain begins."

/** What can be wrong with a lineage, or worth knowing about it. */
export const LINEAGE_CODES = {
  'lineage/missing': {
    severity: 'error',
    summary: 'The document that a handoff continues from exists.',
    why: 'What stood in it, open items included, is lost to whoever goes on.',
    remedy: MEND_LINK,
  },
  'lineage/outside': {
    severity: 'error',
    summary: 'The document that a handoff continues from is in the repository.',
    why: 'Nobody else has what lies outside of it, and nothing is read from there.',
    remedy: MEND_LINK,
  },
  'lineage/circle': {
    severity: 'error',
    summary: 'No chain of handoffs runs in a circle.',
    why: 'Nobody can tell which of its documents came first, and which one knows the most.',
    remedy: "Empty 'continues_from' in the document with which the chain really begins.",
  },
  'lineage/reordered': {
    severity: 'error',
    summary: 'No handoff continues from a newer one.',
    why: 'A document cannot know what was written after it; one of the two says something untrue.',
    remedy: 'Correct the wrong one of the two timestamps, or name the right predecessor.',
  },
  'lineage/unreadable': {
    severity: 'error',
    summary: 'Every handoff, and every folder that may hold one, can be read.',
    why: 'What cannot be read may carry on any other document, so that no chain is known to be whole.',
    remedy: 'Make it readable, or mend its frontmatter: waybill check says what is wrong with it.',
  },
  'lineage/foreign': {
    severity: 'warning',
    summary: 'What a handoff continues from is a handoff document, and no draft of one.',
    why: 'A draft, or a page of another kind, was never handed over: nobody stands behind what it says.',
    remedy: 'Name the handoff document that it carries on.',
  },
  'lineage/undated': {
    severity: 'warning',
    summary: 'Every handoff states a time that can be read.',
    why: 'Its place among the others, and how stale it is, follow from it.',
    remedy: 'Mend its timestamp.',
  },
  'lineage/orphan': {
    severity: 'warning',
    summary: 'No handoff stands alone beside the chain of its own decision record.',
    why: 'Whoever follows the chain never comes to it, and what it leaves open is forgotten.',
    remedy: "Name the document that it carries on in 'continues_from'.",
  },
  'lineage/fork': {
    severity: 'info',
    summary: 'A handoff is carried on by one document.',
    why: 'Of several that carry it on, each knows only its own part of what happened since.',
    remedy: 'Read all of them before you go on; the next handoff may bring them together.',
  },
  'lineage/merge': {
    severity: 'info',
    summary: 'A session takes up one line of handoffs.',
    why: 'A document names one predecessor, so that no link shows the other lines that it took up.',
    remedy: 'Read the ends of the other lines too; they are named in the message.',
  },
  'lineage/parallel': {
    severity: 'info',
    summary: 'The handoffs of a decision record form one chain.',
    why: 'Chains that nothing joins know nothing of each other.',
    remedy: 'Read the end of each; if one carries on another, say so in its first document.',
  },
  'lineage/alias': {
    severity: 'info',
    summary: 'A handoff names its predecessor by its own name.',
    why: 'A symbolic link may lead elsewhere tomorrow, or in the checkout of somebody else.',
    remedy: 'Name the document itself, so that everybody follows the same link.',
  },
} as const satisfies Readonly<Record<string, CodeMeaning>>

/** A code of something wrong with a lineage, or worth knowing. */
export type LineageCode = keyof typeof LINEAGE_CODES
