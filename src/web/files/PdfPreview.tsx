import { useEffect, useRef, useState } from 'react'
import { Loader } from '@mantine/core'
import { getDocument, GlobalWorkerOptions, type PDFDocumentProxy } from 'pdfjs-dist'
import classes from '#web/files/files.module.css'
import { TextButton } from '#web/parts/controls.tsx'

GlobalWorkerOptions.workerSrc = (await import('pdfjs-dist/build/pdf.worker.min.mjs?url')).default

type Opened = { pdf: PDFDocumentProxy } | { problem: string } | undefined

/** A PDF shown page by page, drawn on a canvas: nothing in it is executed, and links do not work. */
export default function PdfPreview({ url, name }: { url: string; name: string }) {
  const opened = useDocument(url)
  const [number, setNumber] = useState(1)
  if (!opened) return <Loader size="sm" aria-label="Loading document" />
  if ('problem' in opened) return <p role="alert">{opened.problem}</p>
  const { pdf } = opened
  return (
    <>
      {pdf.numPages > 1 && (
        <div className={classes.pdfBar}>
          <TextButton icon={null} disabled={number === 1} onClick={() => setNumber(number - 1)}>
            Previous page
          </TextButton>
          <span aria-live="polite">
            Page {number} of {pdf.numPages}
          </span>
          <TextButton icon={null} disabled={number === pdf.numPages} onClick={() => setNumber(number + 1)}>
            Next page
          </TextButton>
        </div>
      )}
      <Page pdf={pdf} number={number} name={name} />
    </>
  )
}

function useDocument(url: string): Opened {
  const [opened, setOpened] = useState<Opened>()
  useEffect(() => {
    let isWanted = true
    // WebAssembly would require a looser content security policy; the plain JavaScript decoders are
    // sufficient.
    const loading = getDocument({ url, useWasm: false })
    loading.promise.then(
      (pdf) => isWanted && setOpened({ pdf }),
      (error: unknown) =>
        isWanted &&
        setOpened({
          problem:
            error instanceof Error && error.name === 'PasswordException'
              ? 'This document is password-protected. Download it to open it.'
              : 'This document can’t be previewed. Download it to open it.',
        }),
    )
    return () => {
      isWanted = false
      void loading.destroy()
    }
  }, [url])
  return opened
}

function Page({ pdf, number, name }: { pdf: PDFDocumentProxy; number: number; name: string }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [text, setText] = useState('')
  const [failed, setFailed] = useState<number>()
  useEffect(() => {
    let stop = () => {}
    let isWanted = true
    async function draw(): Promise<void> {
      const page = await pdf.getPage(number)
      const element = canvas.current
      if (!isWanted || !element) return
      const natural = page.getViewport({ scale: 1 })
      const scale = (element.parentElement!.clientWidth * Math.min(devicePixelRatio, 2)) / natural.width
      const viewport = page.getViewport({ scale })
      element.width = viewport.width
      element.height = viewport.height
      const task = page.render({ canvas: element, viewport })
      stop = () => task.cancel()
      await task.promise
      const { items } = await page.getTextContent()
      if (isWanted) setText(items.map((item) => ('str' in item ? item.str : '')).join(' '))
    }
    draw().catch((error: unknown) => {
      // Drawing was canceled because another page was requested.
      const isCanceled = error instanceof Error && error.name === 'RenderingCancelledException'
      if (isWanted && !isCanceled) setFailed(number)
    })
    return () => {
      isWanted = false
      stop()
    }
  }, [pdf, number])
  if (failed === number)
    return <p role="alert">Page {number} can’t be previewed. Download the document to open it.</p>
  return (
    <canvas
      ref={canvas}
      className={classes.pdfPage}
      role="img"
      aria-label={`Page ${number} of ${name}: ${text}`}
    >
      {text}
    </canvas>
  )
}
