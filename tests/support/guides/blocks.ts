/** A block of code of a page in Markdown. */
export interface Block {
  /** What stands behind the fence, word by word: the language, and what it is for. */
  info: readonly string[]
  text: string
}

/** Every block of code, in order. */
export function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/^```([^\n]*)\n(.*?)^```$/gms)].map(([, info = '', text = '']) => ({
    info: info.split(' ').filter((word) => word !== ''),
    text,
  }))
}

const accepts =
  "-H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream'"

/**
 * What a reader would type, who does everything that a page says: blocks of shell as they stand,
 * manifests kept as files, bodies sent to the doors that they are for. Blocks of shell with another word
 * behind the language are for other machines.
 */
export function typedOf(markdown: string): string {
  return blocksOf(markdown).flatMap(typed).join('\n')
}

function typed({ info: [language, purpose, name], text }: Block): string[] {
  if (language === 'sh') return purpose === undefined ? [text] : []
  if (language !== 'json' || purpose === undefined) return []
  if (purpose.endsWith('.json')) return [`cat > ${purpose} <<'END'\n${text}END`]
  if (purpose !== 'mcp' && purpose !== 'a2a') return []
  const sent = `curl -s "$BASE/${purpose}" -H "\${AUTH:-X-None: 1}" ${accepts} -d @- <<END\n${text}END`
  return [name === undefined ? sent : `${name}=$(${sent}\n)`]
}
