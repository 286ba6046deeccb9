import { Html } from '#src/core/html/html.ts'

/** An address as a picture that a telephone reads. */
export async function qrOf(address: string): Promise<Html> {
  // Loaded when the first person asks for it.
  const { renderSVG } = await import('uqr')
  const svg = renderSVG(address, { border: 2, pixelSize: 4 })
  // The library writes nothing of the address itself into the picture.
  return new Html(
    svg.replace(
      '<svg ',
      '<svg width="212" height="212" class="qr" role="img" aria-label="QR code" ',
    ),
  )
}
