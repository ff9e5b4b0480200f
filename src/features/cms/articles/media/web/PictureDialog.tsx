import { Suspense } from 'react'
import type { PictureDialogProps } from '#web/richtext/RichTextField.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const ChoosePicture = lazyPart(
  () => import('#features/cms/articles/media/web/ChoosePicture.tsx'),
  'ChoosePicture',
)

/**
 * Dialog for choosing images from local files or the library, to insert into rich text. Its code is loaded
 * when the dialog opens.
 */
export function PictureDialog(props: PictureDialogProps) {
  return (
    <Suspense>
      <ChoosePicture {...props} />
    </Suspense>
  )
}
