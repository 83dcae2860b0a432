/** A kind of holder before a name, as lists of keys and requests write it. */
const KIND = /^(?:person|agent|user|actor|gateway):/i

/** Letters of other scripts that people take for Latin ones, each followed by the one that it is taken for. */
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
 * Tells whether two names are, for all that anybody can see, of the same principal: small and capital letters, spaces
 * and marks between them, letters that look alike and the kind of holder before them make no difference.
 */
export function isSamePrincipal(one: string, other: string): boolean {
  if (one.trim() === other.trim()) return true
  const [looks, others] = [looksOf(one), looksOf(other)]
  return looks !== '' && looks === others
}

function looksOf(name: string): string {
  const bare = name.normalize('NFKD').trim().replace(KIND, '').toLowerCase()
  // Some of what is taken for a letter is none.
  const latin = [...bare].map(letter => LATIN.get(letter) ?? letter).join('')
  const letters = latin.replace(/[^\p{L}\p{N}]/gu, '')
  return letters.replace(/[1i|]/g, 'l').replaceAll('0', 'o').replaceAll('rn', 'm')
}
