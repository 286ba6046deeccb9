/** A picture of an agent that is served to everybody who knows its address. Its id names its file too. */
export interface Media {
  /** `med_…` */
  id: string
  char_id: string
  owner_id: string
  /** Of the file. */
  bytes: number
  media_type: string
  /** Pixels. */
  width: number
  height: number
  /** Of the file, in hex. */
  sha256: string
  created_at: string
}

const idPattern = 'med_[0-9a-f]{32}'
const path = new RegExp(`^/media/(${idPattern})\\.webp$`)

/** The picture that a path of this service names. */
export function mediaIdOfPath(text: string): string | undefined {
  return path.exec(text)?.[1]
}

/** Where a picture is served. */
export function mediaUrl(publicUrl: string, id: string): string {
  return `${publicUrl}/media/${id}.webp`
}

/**
 * The picture of ours that an address may name, wherever this service was reached when it was kept;
 * whether there is such a picture, and whose it is, only the store knows.
 */
export function mediaIdIn(url: string): string | undefined {
  return mediaIdOfPath(url.slice(Math.max(0, url.lastIndexOf('/media/'))))
}

/** Whether the address is one of this service, so that nobody else can have the picture. */
export function isOfThisService(url: string, publicUrl: string): boolean {
  return mediaIdIn(url) !== undefined && url.startsWith(`${publicUrl}/media/`)
}
