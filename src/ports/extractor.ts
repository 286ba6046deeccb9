/** What is to be read: bytes as they came, with what is known about them. */
export interface Material {
  bytes: Uint8Array
  /** The sender's media type with parameters: only a hint, since the content decides. */
  mediaType: string | null
  /** The sender's name for it. */
  filename: string | null
  /** Where it was found; relative links are resolved against it. */
  url: string | null
  /** How it is to be read: as a page or file, as a list of entries, or as a list of pages. */
  as: 'file' | 'feed' | 'sitemap'
}

/** A piece of a text that is found and quoted as one. */
export interface Chunk {
  /** At most 2,000 characters. */
  text: string
  /** The headings above it, outermost first, separated by " > "; null if there are none. */
  heading: string | null
  /** Its place: "page 3", "row 120", "line 40", or the address of an entry. Null if unknown. */
  place: string | null
}

/** The result of reading. */
export interface Extract {
  /** The title that the material itself gives. */
  title: string | null
  /** The detected type, such as `text/html`. */
  mediaType: string
  chunks: Chunk[]
  /** The addresses that a sitemap lists, each once, absolute; else none. */
  links: string[]
  /** What they lead to: for a sitemap index, further sitemaps. Absent means pages. */
  linksTo?: 'pages' | 'sitemaps'
}

/** Why nothing was read. */
export type ExtractFault =
  /** By its content it is none of the supported types. */
  | 'type_unsupported'
  /** It ends early, is encrypted, or is not of the stated type. */
  | 'broken'
  /** It contains no text: a scanned PDF, an empty page. */
  | 'no_text'
  /** It expands to more than is accepted, in bytes, pages or chunks. */
  | 'too_large'
  /** It took too long or too much memory. */
  | 'too_costly'

/** Nothing was read. Messages are fixed texts and never quote the material. */
export class ExtractFailure extends Error {
  override readonly name = 'ExtractFailure'
  readonly fault: ExtractFault

  constructor(fault: ExtractFault, message: string, options?: ErrorOptions) {
    super(message, options)
    this.fault = fault
  }
}

/** Extracts text from files of many kinds, off the event loop, within limits of time and memory. */
export interface Extractor {
  /** @throws ExtractFailure; Unavailable if too many materials wait, or it is closed */
  extract(material: Material): Promise<Extract>
  close(): Promise<void>
}
