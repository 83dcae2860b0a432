/** A kind prefix before a name, as key lists and requests write it. */
const KIND = /^(?:person|agent|user|actor|gateway):/i

/** Lookalike letters of other scripts, each followed by the Latin letter that it resembles. */
const LOOKALIKES =
  'аaвbеeзzкkмmнhоoрpсcтtуyхxіiїiјjѕsԁdһhӏlԛqԝwьbгrпnиuαaβbγyεeζzηnιiκkνvοoρpτtυuχxωwօoսuոnհhɑaɡgıiꞵbǃlℓlꮃwꮪsꮯcꭺa' +
  'ⲁaⲇa⍺aꮟbᏼbᑲbᖯbⲃbꓐbᴄcⲥc𐐽cꓚcᑯdꭰdꮷdꓒdɗdɖdꬲe℮eҽeꭼeⲉeꓰeꬵfꞙfքfꓝfᶃgƍgցgꮐgᏻgꮒhꮋhⲏhꓧhꙇiɩiɪiⲓiꭵi⍳iꭻjꓙjⲕkꮶkꓗkĸkǀlⵏlꓲlꮮlꓡlɱmⲙmꮇmꓟmⲛnɴnꓠnŋnᴏo' +
  'ⲟoꭴoᴑoꬽoჿoଠoഠo၀o〇oꓳo⍴pⲣpꮲpꓑpգqꭇrꭈrᴦrⲅrꮁrꭱrꮢrꓣrꜱsƽsꮥsꓢsꞇtⲧtꭲtꓔtꞟuᴜuꭎuꭒuʋuꓴuᴠvѵvꮩvꓦvɯwᴡwѡwաwꮤwꓪwⲭxᕁxᕽxꓫxɣyᶌyʏyỿyꭚyүyყyꭹyⲩyꓬyᴢzꮓzⲍzꓜz'

const LATIN: ReadonlyMap<string, string> = new Map(
  (LOOKALIKES.match(/../gsu) ?? []).map(pair => {
    const [letter = '', latin = ''] = pair
    return [letter, latin]
  }),
)

/**
 * Reports whether two names look like the same principal. Case, spaces, punctuation, lookalike letters and a kind
 * prefix are ignored.
 */
export function isSamePrincipal(one: string, other: string): boolean {
  if (one.trim() === other.trim()) return true
  const [looks, others] = [looksOf(one), looksOf(other)]
  return looks !== '' && looks === others
}

function looksOf(name: string): string {
  const bare = name.normalize('NFKD').trim().replace(KIND, '').toLowerCase()
  // Map lookalike symbols before removing everything that is not a letter or digit.
  const latin = [...bare].map(letter => LATIN.get(letter) ?? letter).join('')
  const letters = latin.replace(/[^\p{L}\p{N}]/gu, '')
  return letters.replace(/[1i|]/g, 'l').replaceAll('0', 'o').replaceAll('rn', 'm')
}
