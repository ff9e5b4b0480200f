import AwayForm from '#web/away/AwayForm.tsx'
import { useViewer } from '#web/session.ts'

/** Dialog that marks the viewer as away, or as back. */
export default function MyAbsence({ onClose }: { onClose: () => void }) {
  const viewer = useViewer()
  return viewer && <AwayForm id={viewer.id} onClose={onClose} />
}
