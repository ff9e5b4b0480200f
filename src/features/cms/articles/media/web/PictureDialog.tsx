import { Suspense } from 'react'
import type { PictureDialogProps } from '#web/richtext/RichTextField.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const ChoosePicture = lazyPart(
  () => import('#features/cms/articles/media/web/ChoosePicture.tsx'),
  'ChoosePicture',
)

/** Dialog that picks pictures for a text from local files or the library. Its code loads when it opens. */
export function PictureDialog(props: PictureDialogProps) {
  return (
    <Suspense>
      <ChoosePicture {...props} />
    </Suspense>
  )
}
