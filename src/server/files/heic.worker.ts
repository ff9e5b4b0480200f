import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import libheif from 'libheif-js/wasm-bundle.js'

/* Decodes the main image of a HEIC file and sends its pixels, or null if it has too many. */

const { path, mostPixels } = workerData as { path: string; mostPixels: number }

const images = new libheif.HeifDecoder().decode(readFileSync(path))
const image = images.find((one) => one.is_primary()) ?? images[0]
if (!image) throw new Error('The file has no image.')
const [width, height] = [image.get_width(), image.get_height()]
const isTooLarge = width * height > mostPixels
const pixels = { data: new Uint8ClampedArray(isTooLarge ? 0 : width * height * 4), width, height }
if (isTooLarge) send(null)
else
  image.display(pixels, (shown) => {
    if (!shown) throw new Error('The image can’t be decoded.')
    send(pixels)
  })

function send(answer: typeof pixels | null): void {
  parentPort!.postMessage(answer, answer ? [answer.data.buffer] : [])
}
