const GAP = '[\\s,:"\']{1,4}'
const phrase = (...words: string[]) => words.join(GAP)
const FILLERS = `(?:(?:all|any|of|the|these|those|me|us)${GAP}){0,3}`
const EARLIER = 'previous|prior|earlier|above|preceding|former|existing'
const ORDERS = '(?:instructions?|prompts?|rules?|directions?|guidelines?|orders?|constraints?)'

/** Phrases about the reader's instructions rather than the work; gaps are bounded, so matching is linear. */
const PHRASES = new RegExp(
  [
    `\\b(?:ignore|disregard|forget|override|bypass)${GAP}${FILLERS}(?:(?:your|system|${EARLIER})${GAP}){1,3}${ORDERS}\\b`,
    `\\b${phrase('(?:ignore|disregard|forget)', 'everything', '(?:above|before|you)')}\\b`,
    `\\b(?:reveal|print|repeat|show|output|leak)${GAP}${FILLERS}(?:(?:your|system)${GAP}){1,2}(?:prompt|instructions)\\b`,
    `\\b${phrase('you', 'are', 'now', '(?:a|an|the|free|dan)')}\\b`,
    `\\b${phrase('(?:your|the)', 'new', '(?:instructions|rules|task|role)', '(?:is|are)')}\\b`,
    `\\b${phrase('(?:do', 'not|don.t|never)', '(?:tell|inform|mention|alert)')}${GAP}(?:(?:this|it|to|the|any)${GAP}){0,3}(?:user|human|operator|anyone)\\b`,
    '<\\|(?:im_start|im_end|system|endoftext)\\|>',
    '\\[/?INST\\]|<</?SYS>>',
  ].join('|'),
  'iu',
)

/** A quick test per phrase, so that most texts need no regular expression. */
const SIGNS = new RegExp(
  `(?:ignore|disregard|forget|override|bypass|reveal|print|repeat|show|output|leak|you${GAP}are|new|not|don.t|never)[\\s,:"']|<\\||INST\\]|SYS>>`,
  'iu',
)

/** Finds the first phrase that reads like an instruction to override instructions. */
export function findInstruction(text: string): string | undefined {
  return SIGNS.test(text) ? PHRASES.exec(text)?.[0] : undefined
}
