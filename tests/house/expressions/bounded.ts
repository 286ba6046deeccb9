/** Expressions that are slow on long texts, by their source, with what keeps their texts short. */
export const bounded: Readonly<Record<string, { atMost: number; reads: string }>> = {
  '=+$': { atMost: 64, reads: 'a digest in base64' },
  'v+c': { atMost: 64, reads: 'a word that is stemmed, which longer ones are not' },
  '^(?:[a-z]{2,6}_[0-9a-f]{32}|(?:sha\\d+|md5|blake\\w*|hmac\\w*)[-:_].*)$': {
    atMost: 512,
    reads: 'a value that looks drawn by lot',
  },
  '(?:[A-Za-z][\\w.-]{0,40} )?[A-Za-z_][\\w.-]{0,62}$': {
    atMost: 64,
    reads: 'what stands before a sign',
  },
  '(?:, (?:\\.{3})?|^)".*"(?:\\.{3})? is not valid JSON$': {
    atMost: 300,
    reads: 'what the parser says of a fault',
  },
}

/** Files whose expressions read nothing that callers send, or read it in a thread with a limit. */
export const elsewhere: readonly { path: string; reads: string }[] = [
  { path: 'adapters/extractor/', reads: 'files, in a thread that is ended when it takes too long' },
  { path: 'adapters/config/', reads: 'settings, once' },
  { path: 'adapters/commands/mcp/arguments.ts', reads: 'the words of a command' },
  { path: 'src/documents/', reads: 'guides and pages of the project' },
]

/** Files that build expressions at run time, and from what. */
export const makers: Readonly<Record<string, string>> = {
  'adapters/extractor/html/flatten.ts': 'the name of an element, in the thread',
  'adapters/commands/moderation/lines.ts': 'an expression of the sources, with other flags',
  'src/commons/search/search.ts': 'escaped words of a query, to look for in an excerpt',
  'src/commons/handle.ts': 'fixed words, to look for in a handle',
  'src/core/credentials/assigned.ts': 'fixed words, to look for in 64 characters',
  'src/core/credentials/begun.ts': 'fixed words, none of which repeats itself',
  'src/core/credentials/random.ts': 'fixed words, to look for in a value of 512 characters',
  'src/core/text/hidden-characters.ts': 'classes of characters',
  'src/agents/imports/plain-name.ts': 'an expression of the sources, with other flags',
  'src/agents/media/media.ts': 'the form of an id, from its beginning to its end',
  'src/agents/tasks/title.ts': 'an expression of the sources, with other flags',
  'src/money/orders/rate.ts': 'an expression of the sources, with other flags',
  'src/agents/tasks/schedule/timetable.ts': 'fixed words, to look for in 400 characters',
}
