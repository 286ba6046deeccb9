/** What is to be read: bytes as they came, with what is said of them. */
export interface Material {
  bytes: Uint8Array
  /** As its sender says it, parameters included: a hint, for the content decides. */
  mediaType: string | null
  /** As its sender names it. */
  filename: string | null
  /** Where it was found; links are made absolute by it. */
  url: string | null
  /** How it is to be read: as a page or file, as a list of entries, or as a list of pages. */
  as: 'file' | 'feed' | 'sitemap'
}

/** A piece of a text that is found and quoted as one. */
export interface Chunk {
  /** At most 2,000 characters. */
  text: string
  /** The headings that it stands under, outermost first, parted by " > "; null without any. */
  heading: string | null
  /** Where it stands: "page 3", "row 120", "line 40", or the address of an entry. Null where nothing tells. */
  place: string | null
}

/** What was read. */
export interface Extract {
  /** As the material names itself. */
  title: string | null
  /** What it was found to be, such as `text/html`. */
  mediaType: string
  chunks: Chunk[]
  /** The addresses that a sitemap lists, each once, absolute; else none. */
  links: string[]
  /** What they lead to: of an index of sitemaps, further sitemaps. Pages where nothing is said. */
  linksTo?: 'pages' | 'sitemaps'
}

/** Why nothing was read. */
export type ExtractFault =
  /** None of the types that are read, by its content. */
  | 'type_unsupported'
  /** It ends early, is encrypted, or is not what it says. */
  | 'broken'
  /** It holds no text: a scanned PDF, an empty page. */
  | 'no_text'
  /** It unfolds to more than is taken, in bytes, pages or chunks. */
  | 'too_large'
  /** It took too long or too much memory. */
  | 'too_costly'

/** Nothing was read. Messages are fixed texts: never words of the material. */
export class ExtractFailure extends Error {
  override readonly name = 'ExtractFailure'
  readonly fault: ExtractFault

  constructor(fault: ExtractFault, message: string, options?: ErrorOptions) {
    super(message, options)
    this.fault = fault
  }
}

/** Reads texts out of files of many kinds, away from the event loop, within bounds of time and memory. */
export interface Extractor {
  /** @throws ExtractFailure; Unavailable when too many materials wait, and once it is closed */
  extract(material: Material): Promise<Extract>
  close(): Promise<void>
}
