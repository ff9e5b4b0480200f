import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import libheif from 'libheif-js/wasm-bundle.js'

/** Decodes the main image of a HEIC file and sends its pixels, or undefined if it has too many. */
const { path, mostPixels } = workerData as { path: string; mostPixels: number }

const images = new libheif.HeifDecoder().decode(readFileSync(path))
const image = images.find((one) => one.is_primary()) ?? images[0]
if (!image) throw new Error('The file has no image.')
const [width, height] = [image.get_width(), image.get_height()]
if (width * height > mostPixels) parentPort!.postMessage(undefined)
else {
  const data = new Uint8ClampedArray(width * height * 4)
  image.display({ data, width, height }, (shown) => {
    if (!shown) throw new Error('The image can’t be decoded.')
    parentPort!.postMessage({ data, width, height }, [data.buffer])
  })
}
