const GAP = '[\\s,:"\']{1,4}'
const phrase = (...words: string[]) => words.join(GAP)
const maybe = (words: string) => `(?:(?:${words})${GAP}){0,3}`
const ORDERS = 'instructions?|prompts?|rules?|directions?|guidelines?|orders?|constraints?'

/** Wordings that speak about what the reader was told, instead of about the work; gaps are bounded, so matching is linear. */
const PHRASES = new RegExp(
  [
    `\\b${phrase('(?:ignore|disregard|forget|override|bypass)', `${maybe('all|any|of|the|your|my|these|those')}(?:(?:previous|prior|earlier|above|preceding|former|existing)${GAP}(?:system${GAP})?)?(?:${ORDERS})`)}\\b`,
    `\\b${phrase('(?:ignore|disregard|forget)', 'everything', '(?:above|before|you)')}\\b`,
    `\\b${phrase('(?:reveal|print|repeat|show|output|leak)', `${maybe('me|us|all|of|the|your')}(?:system${GAP})?(?:prompt|instructions)`)}\\b`,
    `\\b${phrase('you', 'are', 'now', `(?:in${GAP})?(?:a|an|the|free|developer|dan)`)}\\b`,
    `\\b${phrase('(?:your|the)', 'new', '(?:instructions|rules|task|role)', '(?:is|are)')}\\b`,
    `\\b${phrase('(?:do', 'not|don.t|never)', '(?:tell|inform|mention|alert)', `${maybe('this|it|to|the|any')}(?:user|human|operator|anyone)`)}\\b`,
    '<\\|(?:im_start|im_end|system|endoftext)\\|>',
    '\\[/?INST\\]|<</?SYS>>',
  ].join('|'),
  'iu',
)

/** Finds the first wording that reads like an instruction about the reader's instructions. */
export function findInstruction(text: string): string | undefined {
  return PHRASES.exec(text)?.[0]
}
