import { Modal } from '@mantine/core'
import { MediaGrid } from '#features/cms/articles/media/web/MediaGrid.tsx'
import { useDialog } from '#web/parts/useDialog.ts'

/** Dialog for choosing an article's cover image from the library. */
export function ChooseCover({
  onChoose,
  onClose,
}: {
  onChoose: (file: number) => void
  onClose: () => void
}) {
  const dialog = useDialog()
  return (
    <Modal {...dialog} opened onClose={onClose} size="xl" title="Choose from library">
      <MediaGrid onChoose={({ file }) => onChoose(file.id)} />
    </Modal>
  )
}
