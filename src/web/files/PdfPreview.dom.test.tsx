import { act, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { renderPage } from '#web/dom.testing.tsx'
import PdfPreview from '#web/files/PdfPreview.tsx'

const pages: (() => Promise<never>)[] = []
vi.mock('pdfjs-dist', () => ({
  GlobalWorkerOptions: {},
  getDocument: () => ({
    promise: Promise.resolve({ numPages: 1, getPage: () => pages[0]!() }),
    destroy: async () => {},
  }),
}))
vi.mock('pdfjs-dist/build/pdf.worker.min.mjs?url', () => ({ default: '/worker.mjs' }))

const failWith = (name: string) =>
  pages.splice(0, 1, () => Promise.reject(Object.assign(new Error('No page.'), { name })))

test('a page that can’t be drawn says so instead of staying blank', async () => {
  failWith('InvalidPDFException')
  await renderPage(() => <PdfPreview url="/a.pdf" name="a.pdf" />)
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toBe('Page 1 can’t be previewed. Download the document to open it.')
})

test('a drawing that was canceled for another page is not a failure', async () => {
  failWith('RenderingCancelledException')
  await renderPage(() => <PdfPreview url="/a.pdf" name="a.pdf" />)
  await screen.findByRole('img')
  await act(async () => {})
  expect(screen.queryByRole('alert')).toBeNull()
})
