package io.github.delayqueue.benchmark.peers;

/**
 * The keys of the bucket design: a string for each job, ten sorted sets of ids by time,
 * and a list of what is ready.
 */
final class BucketKeys {

	static final int BUCKETS = 10;

	static final String READY = "bucket:ready";

	private BucketKeys() {
	}

	static String job(String id) {
		return "bucket:job:" + id;
	}

	/**
	 * The bucket of a job: always the same, so that finishing it finds its entry.
	 * @param id the id of the job
	 * @return the key
	 */
	static String bucketOf(String id) {
		return bucket(Math.floorMod(id.hashCode(), BUCKETS));
	}

	static String bucket(int number) {
		return "bucket:" + number;
	}

}
