// How far a job is, as it goes on; the page is asked for again when it has ended.
const box = document.querySelector('[data-job]');
if (box) {
  const bar = box.querySelector('progress');
  const text = box.querySelector('.how-far');
  const source = new EventSource(box.dataset.job);
  source.addEventListener('job', (event) => {
    const job = JSON.parse(event.data);
    if (['done', 'failed', 'cancelled'].includes(job.state)) {
      source.close();
      location.reload();
      return;
    }
    if (!job.progress?.total) return;
    bar.max = job.progress.total;
    bar.value = job.progress.done;
    text.textContent = `${job.progress.done} / ${job.progress.total} ${job.progress.what}`;
  });
  addEventListener('pagehide', () => source.close());
}
