import { Suspense } from 'react'
import { Modal } from '@mantine/core'
import type { FileRef } from '#shared/files.ts'
import classes from '#web/files/files.module.css'
import { isPdf } from '#web/files/isPdf.ts'
import { useDialog } from '#web/parts/useDialog.ts'
import { lazyPart } from '#web/shell/lazy.tsx'

const PdfPreview = lazyPart(() => import('#web/files/PdfPreview.tsx'))

/** Preview of an image or a PDF. */
export default function FilePreview({ file, onClose }: { file: FileRef; onClose: () => void }) {
  const dialog = useDialog()
  return (
    <Modal {...dialog} opened onClose={onClose} title={file.name} size="xl">
      {isPdf(file) ? (
        <Suspense>
          <PdfPreview url={file.url} name={file.name} />
        </Suspense>
      ) : (
        <img className={classes.preview} src={file.url} alt={file.name} />
      )}
    </Modal>
  )
}
