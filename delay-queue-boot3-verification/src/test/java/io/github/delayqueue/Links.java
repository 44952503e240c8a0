package io.github.delayqueue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.springframework.asm.AnnotationVisitor;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.FieldVisitor;
import org.springframework.asm.Handle;
import org.springframework.asm.Label;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.Type;

/**
 * Looks for what the virtual machine would not find: classes, methods and fields that a
 * class refers to, and implementations of the abstract methods that it inherits. Types of
 * declared methods and fields count, too: reflection resolves them.
 */
final class Links {

	private static final String CONSTRUCTOR = "<init>";

	private final ClassLoader classLoader;

	private final Map<String, Optional<Known>> known = new HashMap<>();

	Links(ClassLoader classLoader) {
		this.classLoader = classLoader;
	}

	/** What is not found of what a class refers to. */
	Set<String> missing(byte[] classFile) {
		References references = new References();
		new ClassReader(classFile).accept(references, 0);
		Set<String> missing = new TreeSet<>();
		for (String type : references.types) {
			if (load(type).isEmpty()) {
				missing.add(type);
			}
		}
		for (Member member : references.members) {
			load(member.owner()).filter((owner) -> !isThere(owner, member))
				.ifPresent((owner) -> missing.add(member.toString()));
		}
		if (!isAbstract(references.access)) {
			missing.addAll(notImplemented(references.name));
		}
		return missing;
	}

	private boolean isThere(Known owner, Member member) {
		if (member.method() && member.inInterface() != owner.isInterface()) {
			return false;
		}
		// methods of any signature, invoked by the virtual machine itself
		return Set.of("java/lang/invoke/MethodHandle", "java/lang/invoke/VarHandle").contains(owner.name())
				|| hierarchy(owner.name())
					.anyMatch((type) -> (member.method() ? type.methods() : type.fields()).containsKey(member.key()));
	}

	private Set<String> notImplemented(String name) {
		Set<String> missing = new TreeSet<>();
		hierarchy(name).forEach((type) -> type.methods().forEach((method, access) -> {
			if (isAbstract(access) && hierarchy(name)
				.allMatch((other) -> isAbstract(other.methods().getOrDefault(method, Opcodes.ACC_ABSTRACT)))) {
				missing.add("implementation of " + type.name() + "." + method);
			}
		}));
		return missing;
	}

	private static boolean isAbstract(int access) {
		return (access & Opcodes.ACC_ABSTRACT) != 0;
	}

	/** The type, and all above it that can be found. */
	private Stream<Known> hierarchy(String name) {
		Set<String> names = new LinkedHashSet<>();
		addHierarchy(name, names);
		names.add("java/lang/Object");
		return names.stream().flatMap((each) -> load(each).stream());
	}

	private void addHierarchy(String name, Set<String> names) {
		load(name).filter((type) -> names.add(name))
			.ifPresent((type) -> type.parents().forEach((parent) -> addHierarchy(parent, names)));
	}

	private Optional<Known> load(String name) {
		Optional<Known> loaded = this.known.get(name);
		if (loaded == null) {
			loaded = read(name);
			this.known.put(name, loaded);
		}
		return loaded;
	}

	private Optional<Known> read(String name) {
		try (InputStream in = this.classLoader.getResourceAsStream(name + ".class")) {
			if (in == null) {
				return Optional.empty();
			}
			References members = new References();
			new ClassReader(in).accept(members, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG);
			return Optional
				.of(new Known(members.name, members.access, members.parents, members.methods, members.fields));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private record Known(String name, int access, List<String> parents, Map<String, Integer> methods,
			Map<String, Integer> fields) {

		boolean isInterface() {
			return (this.access & Opcodes.ACC_INTERFACE) != 0;
		}

	}

	private record Member(String owner, String name, String descriptor, boolean method, boolean inInterface) {

		String key() {
			return this.name + this.descriptor;
		}

		@Override
		public String toString() {
			return this.owner + "." + this.name + (this.method ? this.descriptor : "");
		}

	}

	/** What a class declares, and what it refers to. */
	private static final class References extends ClassVisitor {

		private String name = "";

		private int access;

		private List<String> parents = List.of();

		private final Map<String, Integer> methods = new HashMap<>();

		private final Map<String, Integer> fields = new HashMap<>();

		private final Set<String> types = new HashSet<>();

		private final Set<Member> members = new HashSet<>();

		References() {
			super(Opcodes.ASM9);
		}

		@Override
		public void visit(int version, int access, String name, String signature, String superName,
				String[] interfaces) {
			this.name = name;
			this.access = access;
			this.parents = Stream.concat(Stream.ofNullable(superName), Stream.of(interfaces)).toList();
			this.types.addAll(this.parents);
		}

		@Override
		public AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
			add(Type.getType(descriptor));
			return null;
		}

		@Override
		public FieldVisitor visitField(int access, String name, String descriptor, String signature, Object value) {
			this.fields.put(name + descriptor, access);
			add(Type.getType(descriptor));
			return null;
		}

		@Override
		public MethodVisitor visitMethod(int access, String name, String descriptor, String signature,
				String[] exceptions) {
			this.methods.put(name + descriptor, access);
			add(Type.getMethodType(descriptor));
			return new Code(this::add, this.members::add);
		}

		private void add(Type type) {
			switch (type.getSort()) {
				case Type.ARRAY -> add(type.getElementType());
				case Type.OBJECT -> this.types.add(type.getInternalName());
				case Type.METHOD -> {
					add(type.getReturnType());
					Stream.of(type.getArgumentTypes()).forEach(this::add);
				}
				default -> {
				}
			}
		}

	}

	private static final class Code extends MethodVisitor {

		private final Consumer<Type> types;

		private final Consumer<Member> members;

		Code(Consumer<Type> types, Consumer<Member> members) {
			super(Opcodes.ASM9);
			this.types = types;
			this.members = members;
		}

		@Override
		public AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
			this.types.accept(Type.getType(descriptor));
			return null;
		}

		@Override
		public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
			add(owner, name, descriptor, true, isInterface);
		}

		@Override
		public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
			add(owner, name, descriptor, false, false);
		}

		@Override
		public void visitTypeInsn(int opcode, String type) {
			this.types.accept(Type.getObjectType(type));
		}

		@Override
		public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
			this.types.accept(Type.getType(descriptor));
		}

		@Override
		public void visitTryCatchBlock(Label start, Label end, Label handler, String type) {
			if (type != null) {
				this.types.accept(Type.getObjectType(type));
			}
		}

		@Override
		public void visitLdcInsn(Object value) {
			addConstant(value);
		}

		@Override
		public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
			this.types.accept(Type.getMethodType(descriptor));
			Stream.of(arguments).forEach(this::addConstant);
		}

		private void addConstant(Object value) {
			if (value instanceof Type type) {
				this.types.accept(type);
			}
			else if (value instanceof Handle handle) {
				add(handle.getOwner(), handle.getName(), handle.getDesc(), handle.getTag() > Opcodes.H_PUTSTATIC,
						handle.isInterface());
			}
		}

		private void add(String owner, String name, String descriptor, boolean method, boolean inInterface) {
			Type type = Type.getObjectType(owner);
			this.types.accept(type);
			if (type.getSort() == Type.OBJECT) {
				this.types.accept(Type.getType(descriptor));
				this.members.accept(new Member(owner, name, descriptor, method, inInterface));
			}
		}

	}

}
