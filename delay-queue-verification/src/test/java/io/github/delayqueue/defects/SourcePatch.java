package io.github.delayqueue.defects;

import java.util.ArrayList;
import java.util.List;

/**
 * What a patch does to one file. Line numbers are not looked at: the lines that a hunk
 * shows have to be there exactly once.
 *
 * @param file path from the folder of all modules, with slashes
 * @param hunks what to change, in any order
 */
record SourcePatch(String file, List<Hunk> hunks) {

	private static final String FILE_PREFIX = "+++ b/";

	private static final String HUNK_PREFIX = "@@ ";

	/**
	 * One change.
	 *
	 * @param before the lines before it, each with its end
	 * @param after the lines after it
	 */
	record Hunk(String before, String after) {

	}

	/**
	 * Read the output of {@code git diff}.
	 * @param lines the lines; those before the first file are skipped
	 * @return a patch for each file
	 */
	static List<SourcePatch> parse(List<String> lines) {
		List<SourcePatch> patches = new ArrayList<>();
		int i = 0;
		while (i < lines.size()) {
			String line = lines.get(i++);
			if (line.startsWith(FILE_PREFIX)) {
				patches.add(new SourcePatch(line.substring(FILE_PREFIX.length()), new ArrayList<>()));
			}
			else if (line.startsWith(HUNK_PREFIX) && !patches.isEmpty()) {
				int start = i;
				while (i < lines.size() && isOfHunk(lines.get(i))) {
					i++;
				}
				patches.get(patches.size() - 1).hunks().add(hunk(lines.subList(start, i)));
			}
		}
		return patches;
	}

	private static boolean isOfHunk(String line) {
		return !line.isEmpty() && " +-".indexOf(line.charAt(0)) >= 0;
	}

	private static Hunk hunk(List<String> lines) {
		StringBuilder before = new StringBuilder();
		StringBuilder after = new StringBuilder();
		for (String line : lines) {
			String text = line.substring(1) + "\n";
			if (line.charAt(0) != '+') {
				before.append(text);
			}
			if (line.charAt(0) != '-') {
				after.append(text);
			}
		}
		return new Hunk(before.toString(), after.toString());
	}

	/**
	 * Change a text.
	 * @param text the file as it is
	 * @return the file as the patch makes it
	 * @throws IllegalStateException if it does not fit
	 */
	String apply(String text) {
		String result = text;
		for (Hunk hunk : this.hunks) {
			String lines = "\n" + result;
			int at = lines.indexOf("\n" + hunk.before());
			if (at < 0 || lines.indexOf("\n" + hunk.before(), at + 1) >= 0) {
				throw new IllegalStateException(
						"These lines are not in " + this.file + " exactly once:\n" + hunk.before());
			}
			result = result.substring(0, at) + hunk.after() + result.substring(at + hunk.before().length());
		}
		return result;
	}

}
